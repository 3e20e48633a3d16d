#pragma once

// The C face of Muslin, for JavaScript (muslin.js) and whoever else calls C. Numbers are in SI units, y is
// up; vertices, triangles and colliders have the user's numbers, from 0 through all cloths, as frames have
// them.
//
// Returns   Every function that returns an int returns a negative one for an error, and then nothing has
//           changed: MUSLIN_INVALID … below. muslin_message() says in words what is wrong, in those of the
//           command line. No function throws, and none ends the program, whatever it is called with.
// Results   A function whose comment says "result:" leaves what it tells in one buffer of the library, at
//           muslin_result(), and returns how many items there are: bytes of text (UTF-8, with a 0 behind
//           them), floats, doubles or ints. The buffer is good until the next call of any function here;
//           callers copy it and free nothing.
// Arguments Texts are UTF-8 and end with 0; null is an empty text. Other memory comes with its size. It is
//           read during the call alone.
// Handles   muslin_create returns the handle of a run, above 0, which is never given out again; the caller
//           ends it by muslin_destroy. A handle of no run is MUSLIN_MISUSE.
// Threads   Calls come from one thread.

#ifdef __cplusplus
extern "C" {
#endif

enum MuslinError {
  MUSLIN_INVALID = -1,   // the scene, mesh, setting or saved state is not acceptable
  MUSLIN_FILE = -2,      // a file is not there or cannot be read
  MUSLIN_MISUSE = -3,    // no such handle, choice or size
  MUSLIN_MEMORY = -4,    // there is not enough memory
  MUSLIN_INTERNAL = -5,  // a mistake of ours
};

// What was wrong with the last call that returned an error; "" before the first. Owned by the library, good
// until the next call.
const char* muslin_message(void);
// What the last call with a "result:" left; null where it has no items.
const void* muslin_result(void);

// --- what there is ---------------------------------------------------------------------------------------

enum MuslinList {
  MUSLIN_VERSION,  // "0.1.0", plain text
  MUSLIN_SCHEMA,   // JSON Schema (draft-07) of scenes: every field with its sentence, unit and range
  MUSLIN_METHODS,  // JSON: [{name, label, summary, family, stroke: {light, dark, dash}}], the simplest first
  MUSLIN_FABRICS,  // JSON: [{name, source, values: {density, …}}]
  MUSLIN_REPORT,   // JSON: [{name, unit, doc}], one an entry of muslin_report
  MUSLIN_FIELDS,   // JSON: [{name, unit, doc, needs_exact}], one a number of muslin_field
};
// result: text.
int muslin_list(int list);

// --- files that scenes name ------------------------------------------------------------------------------

// Puts a file (meshes, point caches) where scenes find it: a scene called "a/b.json" that names "c.obj" reads
// "a/c.obj". Replaces one of the same name. Names are relative, with '/', and do not leave the table by "..".
// Returns 0.
int muslin_put_file(const char* name, const void* bytes, int size);
// Takes all files away again. Running scenes need none. Returns 0.
int muslin_drop_files(void);

// --- a run -----------------------------------------------------------------------------------------------

// Builds a scene at time 0. Returns its handle.
//   text       of the scene file, ours or CS184's.
//   name       of the file in messages; its folder is where mesh files are looked for.
//   method     "": the scene's own solver; a method or family to run it instead; "reference": the exact step,
//              with "comparison" alone.
//   overrides  lines PATH=VALUE as `muslin run --set` has them, "cloths/0/grid/points=[31, 31]".
//   comparison 0: as `muslin run` runs it. 1: as in a comparison (`muslin compare`, lanes of the viewer):
//              every method takes the same steps.
// Errors of the scene are MUSLIN_INVALID, one line each: `NAME:LINE:COLUMN: /path: expectation, got finding`.
int muslin_create(const char* text, const char* name, const char* method, const char* overrides,
                  int comparison);
// Ends a run and frees its memory. Returns 0.
int muslin_destroy(int run);
// How many runs there are.
int muslin_count(void);
// Bytes that runs, files and the last result occupy, of those that the program holds.
double muslin_memory_used(void);

// Goes on with another scene under the cloth, whose positions, velocities and hands stay (Simulation::edit);
// arguments as of muslin_create. MUSLIN_INVALID if the cloth is another one or has no room. Returns 0.
int muslin_edit(int run, const char* text, const char* name, const char* method, const char* overrides,
                int comparison);

// result: text, the scene with every field and its value, as JSON that muslin_create reads.
int muslin_scene(int run);
// result: text, JSON of what `muslin check` and `muslin run` say before the first frame:
//   {warnings: [sentence], limits: sentence or "", start: [{what, count, named: [words], triangles: [n]}],
//    inert: [{path, reason, cause: "scene" or "solver", written}]}
// A start that no solver could mend is refused by muslin_create already.
int muslin_check(int run);

// The viewer's variant of a scene file (its section "viewer"): changes that make it quick enough to play
// with.
// result: text, lines for `overrides`; none if the file has no such section.
int muslin_variant(const char* text, const char* name);

// --- frames ----------------------------------------------------------------------------------------------

// Makes so many frames. Stops early after one that diverged, or at the first that is not done when
// `milliseconds` have passed since the call (0: no limit): that frame has then not been, and the next call
// makes it again, to the same bits. Returns how many frames were made.
int muslin_step(int run, int frames, double milliseconds);
// Back to time 0 of the scene. Returns 0.
int muslin_reset(int run);
// result: doubles, what is to be looked at after a frame; muslin_list(MUSLIN_REPORT) names them. NaN where a
// number does not exist.
int muslin_report(int run);
// result: text, hash of the State, 16 hexadecimal digits, as `muslin run --json` has it.
int muslin_hash(int run);

// Switches on (1) or off (0) the exact step: beside the last step of every frame, the minimum of the same
// step from the same state is found (as `muslin compare` does), and the report and fields tell how far the
// step is from it. Costs that reference step. Returns 0.
int muslin_exact(int run, int on);
// Takes one step from where the run is, iterate by iterate, beside the exact one; the run stays as it is.
// result: doubles, 5 an iteration from 0 on: iteration, energy gap, residual [N], lost gravity, distance [m].
int muslin_trace(int run);

// --- the cloth, and fields on it -------------------------------------------------------------------------

// result: 8 ints: vertices, triangles, colliders, cloths, substeps a frame, frames of the scene, frame made
// last, whether the exact step is on.
int muslin_sizes(int run);
// result: text, JSON: [{name, first_vertex, vertices, first_triangle, triangles, grid: [nu, nv] or null}].
int muslin_cloths(int run);
// result: 3 ints a triangle, counter-clockwise seen from the front.
int muslin_triangles(int run);
// result: 2 floats a vertex, (0, 0) where a cloth has none.
int muslin_uv(int run);
// result: 3 doubles a vertex [m].
int muslin_positions(int run);
// result: 3 floats a vertex [m].
int muslin_float_positions(int run);
// result: 3 doubles a vertex [m/s].
int muslin_velocities(int run);
// result: 3 floats a vertex, unit length; 0 where a vertex has no area.
int muslin_normals(int run);

enum MuslinField {
  MUSLIN_STRAIN,    // largest principal strain about the vertex
  MUSLIN_SPEED,     // [m/s]
  MUSLIN_BENDING,   // bending energy per area [J/m²]
  MUSLIN_GAP,       // to the nearest collider [m]
  MUSLIN_DISTANCE,  // to the exact step [m]; this and all below with muslin_exact on, after a frame
  MUSLIN_RESIDUAL,  // length of the gradient of what the step minimises [N]
  MUSLIN_ENERGY,  // the vertex's share of the step's energy gap, ½ ∇F·(x − x*) / (F(y) − F(x*)): they sum
                  // up to the gap where F is quadratic
  MUSLIN_FIELD_COUNT,
};
// result: a float a vertex; NaN where there is no number.
int muslin_field(int run, int field);

// --- colliders -------------------------------------------------------------------------------------------

// result: text, JSON: [{name, shape, enabled, moves, deforms}].
int muslin_colliders(int run);
// result: 12 doubles a collider: its rotation column by column, then its place [m], where it is now.
int muslin_poses(int run);
// The surface of a collider in its own frame; a plane has none. `corners`: least number of corners of
// circles.
// result: 3 floats a vertex [m]. It changes during a run only where the collider deforms.
int muslin_collider_vertices(int run, int collider, int corners);
// result: 3 ints a triangle, for the same corners.
int muslin_collider_triangles(int run, int collider, int corners);

// --- hands (they act from the next frame on) -------------------------------------------------------------

// Pins a vertex where it is. Returns 0.
int muslin_hold(int run, int vertex);
// Pins it and takes it to a place [m] during the next frame. Returns 0.
int muslin_hold_at(int run, int vertex, double x, double y, double z);
// Unpins it, whoever pinned it. Returns 0.
int muslin_let_go(int run, int vertex);
// result: ints, the vertices that are held, in any direction, by scene or hand.
int muslin_held(int run);
// Pulls a vertex towards a place [m] by a spring, until muslin_release or a pull elsewhere. Returns 0.
int muslin_pull(int run, int vertex, double x, double y, double z);
// Ends the pull, if there is one. Returns 0.
int muslin_release(int run);
// Shifts a collider from where its own motion has it [m]. Returns 0.
int muslin_carry(int run, int collider, double x, double y, double z);
// Adds a force [N] a vertex to weight and wind from now on: 3 doubles a vertex, or count 0 for none.
// Returns 0.
int muslin_push(int run, const double* forces, int count);

// --- the judge, and states -------------------------------------------------------------------------------

// Judges the cloth as it is, and what happened since the last call for this run, exactly and by code that
// shares nothing with contact (`muslin check-frames`).
// result: text, JSON: {clean, intersecting: [[triangle, triangle]], inside: [vertex], cut: [triangle],
// crossings: n, through: [vertex], gap: metres or null}. Of each list the first 1000.
int muslin_judge(int run);

// result: bytes, all that the run needs to go on with the same bits but its scene; the file of
// `muslin run --checkpoint`.
int muslin_save(int run);
// Goes on from such bytes of the same scene. Returns 0.
int muslin_load(int run, const void* bytes, int size);

#ifdef __cplusplus
}
#endif
