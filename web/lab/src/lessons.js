// Six lessons through the methods. A lesson is a page state, as links have it, and a text.
export const lessons = [
  {
    title: 'Verlet, and where it ends',
    text: `Springs pull vertices, and Verlet's method follows: three lines of code. It is stable only while a step is shorter than
      2/ω of the stiffest mode. This soft cloth, 1000 N/m, takes 32 steps a frame: it holds. Now make it stiff: <i>Settings, Fabric,
      warp</i> 100000. Within a few frames the kinetic energy soars, and the run blows up. Newton's method takes one step a frame, and stays.
      To go on, press <i>Reset</i> and set <i>warp</i> to 1000 again.`,
    state: { scene: 'hang', overrides: ['cloths/0/grid/points=[17, 17]', 'cloths/0/fabric/warp=1000', 'cloths/0/fabric/weft=1000', 'cloths/0/fabric/shear=333',
      'solver/explicit/substeps=32'], lanes: ['explicit', 'newton'], exact: false, curves: ['kinetic_energy', 'strain_p99', 'ms'], own: true },
  },
  {
    title: 'Position-based: a look, not a material',
    text: `PBD moves vertices until lengths fit. How stiff the cloth looks depends on how often it does: on iterations and steps, not on
      newtons per metre. XPBD puts the material back, if its steps are small. Compare the strain of both, and change the number of
      iterations.`,
    state: { scene: 'games103_pbd', lanes: ['pbd', 'xpbd'], exact: false, curves: ['strain_p99', 'kinetic_energy', 'ms'] },
  },
  {
    title: 'Plain descent loses gravity',
    text: `Implicit Euler is a minimum, and a course's diagonal descent goes 32 small steps towards it. The cloth seems to swing in slow
      motion: part of its weight is never answered. The banner says how much. Chebyshev's acceleration, with the same 32 iterations,
      loses a sixth of that; Newton's method nothing.`,
    state: { scene: 'games103_implicit_plain', lanes: ['implicit_plain', 'chebyshev', 'newton'], exact: true, curves: ['exact_lost_gravity', 'exact_max', 'exact_gap'] },
  },
  {
    title: 'Newton, and the exact step',
    text: `The exact step is the one whose gradient is zero. Newton's method gets there in a handful of iterations, and its distance to the
      exact step is below a thousandth of a millimetre. Block descent and projective dynamics come near, each in its own time: look at milliseconds beside
      the distance.`,
    state: { scene: 'games103_implicit', lanes: ['newton', 'block_descent', 'projective', 'quasi_newton'], exact: true, curves: ['exact_max', 'exact_gap', 'ms'] },
  },
  {
    title: "Baraff and Witkin's large steps",
    text: `One linear system a step, from where the cloth is: that made large steps possible in 1998. What it leaves out, curvature along
      the step, is an error you can see beside Newton's method when cloth moves fast. It also brakes: look at the energy.`,
    state: { scene: 'swing', lanes: ['baraff_witkin', 'newton'], exact: true, curves: ['exact_max', 'kinetic_energy', 'exact_gap'] },
  },
  {
    title: 'Why cloth passes through itself, and contact that does not let it',
    text: `Left, vertices keep clear of vertices: an edge still slips between them, and once it has, nothing knows which side was right.
      Right, pairs of vertices and triangles, and of edges, repel by a barrier, and no step is longer than the first touch. Drag the cloth
      into itself; <b>Judge</b> counts the triangles that meet, by code that shares nothing with contact.`,
    state: { scene: 'torture/fold', lanes: ['xpbd', 'quasi_newton'], exact: false, curves: ['strain_p99', 'kinetic_energy', 'ms'], own: true },
  },
];
