/** A number a coordinate: metres, y up. */
export type Vector = readonly [number, number, number];

/** What was wrong, in the words of the command line. */
export class MuslinError extends Error {
  constructor(kind: MuslinError['kind'], message: string, file?: string);
  kind: 'invalid' | 'file' | 'misuse' | 'memory' | 'internal';
  /** Places in the scene's text, from 1; path is a JSON pointer or ''. */
  places: Place[];
}
export interface Place {
  line: number;
  column: number;
  path: string;
  message: string;
}

/** Changes of a scene: {'solver/newton/iterations': 3}, ['path=value'] or lines of them. */
export type Overrides = Record<string, unknown> | string[] | string;

export interface SceneOptions {
  /** Of the file in messages; its folder is where mesh files are looked for. */
  name?: string;
  /** A method or family in place of the scene's solver; 'reference' (with comparison) for the exact step. */
  method?: string;
  overrides?: Overrides;
  /** Every method takes the same steps, as lanes beside each other do. */
  comparison?: boolean;
  /** The exact step beside every frame's last step, for report and fields. */
  exact?: boolean;
}

export interface Method {
  name: string;
  label: string;
  summary: string;
  family: string;
  stroke: { light: string; dark: string; dash: string };
}
export interface Fabric {
  name: string;
  source: string;
  values: Record<string, number>;
}
export interface Entry {
  name: string;
  unit: string;
  doc: string;
}
/** What `muslin check` says of a scene that can run. */
export interface SceneCheck {
  warnings: string[];
  /** What the solver does not promise of this scene. */
  limits: string;
  /** What meets at the start. */
  start: { what: string; count: number; named: string[]; triangles: number[] }[];
  /** Numbers that nothing reads. */
  inert: { path: string; reason: string; cause: 'scene' | 'solver'; written: boolean }[];
}

/** The mesh files that a scene's text names, relative to the scene: for Muslin.putFile. */
export function filesOf(text: string): string[];

/** The program's code, compiled while it arrives. */
export function compiled(place: string | URL | Promise<Response>): Promise<WebAssembly.Module>;

/** Everything that belongs to the program, not to a run. Every instance has memory of its own. */
export class Muslin {
  /** Files that are not given lie beside this module; `wasmModule` is what compiled() made, which workers can share. */
  static load(options?: {
    module?: string | URL;
    wasm?: string | URL;
    wasmModule?: WebAssembly.Module;
    create?: (...args: any[]) => Promise<unknown>;
  }): Promise<Muslin>;
  private constructor(core: unknown);

  readonly version: string;
  /** JSON Schema (draft-07) of scenes: every field with its sentence, unit and range. */
  readonly schema: Record<string, any>;
  /** The simplest first. */
  readonly methods: Method[];
  readonly fabrics: Fabric[];
  /** One an entry of Run.report(). */
  readonly reportEntries: Entry[];
  /** The names that Run.field() takes. */
  readonly fields: (Entry & { needs_exact: boolean })[];
  /** Bytes of memory that the program holds: the most that it ever needed at once. */
  readonly memory: number;
  /** Bytes of it that runs, files and the last result occupy now. */
  readonly memoryUsed: number;
  /** How many runs were created and not yet freed. */
  readonly runs: number;

  /** Puts a file where scenes find it. */
  putFile(name: string, content: string | ArrayLike<number>): void;
  dropFiles(): void;
  /** Builds a scene at time 0. Throws MuslinError. */
  createFromText(text: string, options?: SceneOptions): Run;
  /** The same without a run and without throwing; message is '' and check is there if the scene can run. */
  check(text: string, options?: SceneOptions): { errors: Place[]; message: string; check: SceneCheck | null };
  /** The changes that a scene's section "viewer" asks for, so that it is quick enough to play with: for `overrides`. */
  variant(text: string, name?: string): string[];
}

/** A run of one scene. Arrays that it returns are copies, which may be transferred. Calls throw MuslinError. */
export class Run {
  private constructor(muslin: Muslin, handle: number, options: SceneOptions);

  /** Frees its memory in the program. Nothing else may be called afterwards. */
  free(): void;

  /** Makes frames at once, and returns how many; fewer after one that diverged, or is not done within `milliseconds`. */
  step(frames?: number, milliseconds?: number): number;
  /** Makes frames and lets other events in between them; returns how many. */
  play(frames: number, options?: { signal?: AbortSignal; milliseconds?: number; onFrame?: (run: Run) => void }): Promise<number>;
  /** Back to time 0 of the scene. */
  reset(): void;
  /** One number an entry of Muslin.reportEntries; NaN where a number does not exist. */
  report(): Float64Array;
  reportByName(): Record<string, number>;
  /** 16 hexadecimal digits: that of `muslin run --json`. */
  stateHash(): string;
  /** Whether the exact step is found beside the last step of every frame, from the next frame on. */
  exact(on: boolean): void;
  /** The next step, iterate by iterate. The run stays as it is. */
  trace(): { iteration: number; energyGap: number; residual: number; lostGravity: number; distance: number }[];

  sizes(): {
    vertices: number;
    triangles: number;
    colliders: number;
    cloths: number;
    substeps: number;
    frames: number;
    frame: number;
    exact: boolean;
  };
  cloths(): { name: string; first_vertex: number; vertices: number; first_triangle: number; triangles: number; grid: [number, number] | null }[];
  /** 3 vertices a triangle; constant during a run. */
  triangles(): Int32Array;
  /** 2 a vertex; constant during a run. */
  uv(): Float32Array;
  /** 3 a vertex [m]; every bit by positions(Float64Array). */
  positions(): Float32Array;
  positions(Type: Float32ArrayConstructor): Float32Array;
  positions(Type: Float64ArrayConstructor): Float64Array;
  /** 3 a vertex [m/s]. */
  velocities(): Float64Array;
  /** 3 a vertex. */
  normals(): Float32Array;
  /** One a vertex, of a name in Muslin.fields. */
  field(name: string): Float32Array;

  colliders(): { name: string; shape: string; enabled: boolean; moves: boolean; deforms: boolean }[];
  /** 12 a collider: rotation column by column, then place [m]. */
  poses(): Float64Array;
  /** Of a collider in its own frame; a plane has none. */
  colliderMesh(collider: number, corners?: number): { vertices: Float32Array; triangles: Int32Array };

  /** Pins a vertex where it is, or takes it to a place during the next frame. */
  hold(vertex: number, place?: Vector): void;
  letGo(vertex: number): void;
  held(): Int32Array;
  /** Pulls a vertex towards a place, until release(). */
  pull(vertex: number, place: Vector): void;
  release(): void;
  /** Shifts a collider from where its own motion has it. */
  carry(collider: number, offset: Vector): void;
  /** 3 forces a vertex [N], or none. */
  push(forces: Float64Array): void;
  /** Goes on with another scene under the cloth; throws, and changes nothing, where the cloth is another. */
  edit(text: string, options?: SceneOptions): void;

  /** The scene with every field and its value, as text. */
  scene(): string;
  check(): SceneCheck;
  /** The cloth now, and since the last call. */
  judge(): {
    clean: boolean;
    intersecting_pairs: number;
    /** Pairs of triangles. */
    intersecting: [number, number][];
    /** Vertices inside a collider. */
    inside: number[];
    /** Triangles that colliders cut. */
    cut: number[];
    /** Passages of cloth through cloth since the last call. */
    crossings: number;
    /** Vertices that went through colliders since the last call. */
    through: number[];
    /** The least distance of cloth to cloth or body [m], where that was measured. */
    gap: number | null;
  };
  /** All that the run needs to go on with the same bits, but its scene. */
  save(): Uint8Array;
  load(bytes: Uint8Array): void;
}
