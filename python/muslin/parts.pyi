"""Written by scripts/python_reference.py: the parts of a scene."""
from typing import Any, Dict, Literal, Mapping, Sequence, Union

__all__ = ["Acting", "BaraffWitkinSettings", "BlockDescentSettings", "BoxRegion", "Cloth", "ClothMesh", "Collider", "Dress", "ExplicitSettings", "Fabric", "FabricRegion", "Grid", "ImplicitSettings", "Keyframe", "MeshFile", "MeshFrames", "Motion", "NewtonSettings", "PatternFile", "Pin", "PositionSettings", "ProjectiveSettings", "QuasiNewtonSettings", "Seam", "SeamSide", "SelfCollision", "SolverSettings", "SphereRegion", "Springs", "UvRegion", "Wind"]

class Part(Dict[str, Any]):
    def __init__(self, **keywords: Any) -> None: ...

class Wind(Part):
    def __init__(
        self,
        *,
        law: Literal["aerodynamic", "mosegaard"] = ...,  # aerodynamic or mosegaard
        velocity: Sequence[float] = ...,  # mean velocity of the air [m/s]
        air_density: float = ...,  # density of the air, 1.2 at room temperature; 0: no air [kg/m^3]
        drag: float = ...,  # drag coefficient of a plate across the flow
        lift: float = ...,  # lift coefficient
        gust: float = ...,  # root mean square of the gusts, drawn from the seed [m/s]
        gust_length: float = ...,  # length of the largest gusts [m]
        pressure: Sequence[float] = ...,  # pressure vector of the mosegaard law [Pa]
    ) -> None: ...

class Cloth(Part):
    def __init__(
        self,
        *,
        name: str = ...,  # name in frames and messages
        grid: Union[Union[Grid, Mapping[str, Any]], None] = ...,  # a rectangular sheet (either grid or mesh)
        mesh: Union[Union[ClothMesh, Mapping[str, Any], Any], None] = ...,  # a mesh from a file (either grid or mesh)
        pattern: Union[Union[PatternFile, Mapping[str, Any]], None] = ...,  # a sewing pattern, in place of grid and mesh; its stitches are seams
        fabric: Union[Literal["cotton", "wool", "wool_lycra", "polyester", "silk", "cotton_plate", "wool_plate", "wool_lycra_plate", "polyester_plate", "silk_plate", "cotton_light", "wool_coat", "canvas", "denim_stiff", "denim", "royal_target", "white_dots", "gray_interlock", "navy", "camel", "ivory", "pink", "tango", "swim", "paper", "aluminium_foil", "plain"], Union[Fabric, Mapping[str, Any]]] = ...,  # what it is made of
        regions: Sequence[Union[FabricRegion, Mapping[str, Any]]] = ...,  # parts that are made of something else
        membrane: Union[Literal["springs", "baraff_witkin", "stvk"], None] = ...,  # elements that resist stretch and shear; absent: springs on grids, baraff_witkin on meshes
        bending: Union[Literal["quadratic", "dihedral"], None] = ...,  # elements that resist bending; absent: quadratic where the cloth is flat at rest, dihedral elsewhere
        vertex_mass: Union[float, None] = ...,  # mass of every vertex, in place of the fabric's density [kg]
        springs: Union[Union[Springs, Mapping[str, Any]], None] = ...,  # spring constants one by one, in place of the fabric's stiffness and damping
        acting: Union[Acting, Mapping[str, Any]] = ...,  # which classes of springs, and what of the fabric, act
        pins: Sequence[Union[Pin, Mapping[str, Any]]] = ...,  # held vertices
        seams: Sequence[Union[Seam, Mapping[str, Any]]] = ...,  # borders that are sewn together; of a pattern, beyond its own stitches
        velocity: Sequence[float] = ...,  # initial velocity [m/s]
        colour: Union[str, None] = ...,  # colour in pictures and exports, sRGB as "#rrggbb"; absent: by the mesh's materials, or the next dye
    ) -> None: ...

class Grid(Part):
    def __init__(
        self,
        *,
        points: Sequence[int] = ...,  # vertices along u and v
        size: Sequence[float] = ...,  # lengths of the sheet along u and v [m]
        origin: Sequence[float] = ...,  # place of vertex (0, 0) [m]
        u: Sequence[float] = ...,  # direction of the warp; its length is ignored
        v: Sequence[float] = ...,  # direction of the weft; its length is ignored
        diagonals: Literal["forward", "backward", "alternating"] = ...,  # how cells are cut into triangles
        jitter: float = ...,  # largest random start offset along u x v, drawn from the seed [m]
    ) -> None: ...

class ClothMesh(Part):
    def __init__(
        self,
        *,
        file: Any = ...,  # OBJ, PLY, GLB, glTF or USD file (.obj .ply .glb .gltf .usda), relative to the scene and below its folder
        scale: float = ...,  # factor from the file's unit to metres; glTF and USD are read as metres with y up
        rotation: Sequence[float] = ...,  # rotation about x, then y, then z through the origin, after scaling [deg]
        translation: Sequence[float] = ...,  # displacement after rotation [m]
        object: Union[str, None] = ...,  # the object of the file that is taken; absent: all, and of a cloth each is one of its own
        merge: float = ...,  # vertices nearer to each other than this are one, as seams are sewn; 0: none [m]
        rest_mesh: Union[Any, None] = ...,  # mesh file with the same vertices and faces where they are without load, as a pattern lies flat; in the file's unit; absent: the mesh itself
    ) -> None: ...

class PatternFile(Part):
    def __init__(
        self,
        *,
        file: Any = ...,  # pattern in GarmentCode's format (.json), relative to the scene and below its folder
        resolution: float = ...,  # length of the mesh's edges [m]
        rotation: Sequence[float] = ...,  # rotation about x, then y, then z through the origin, of the panels as the pattern places them [deg]
        translation: Sequence[float] = ...,  # displacement after rotation [m]
    ) -> None: ...

class Fabric(Part):
    def __init__(
        self,
        *,
        preset: str = ...,  # fabric that gives every number not written here: a name from `muslin list fabrics`
        density: Union[float, None] = ...,  # mass per area; not read where the cloth has a vertex_mass [kg/m^2]
        thickness: Union[float, None] = ...,  # thickness of the cloth [m]
        warp: Union[float, None] = ...,  # membrane stiffness along u: tension per strain; this and all below: not read where the cloth has springs of its own [N/m]
        weft: Union[float, None] = ...,  # membrane stiffness along v [N/m]
        shear: Union[float, None] = ...,  # membrane shear stiffness: shear tension per shear angle [N/m]
        bend: Union[float, None] = ...,  # bending rigidity of the plate, along u [N m]
        bend_weft: Union[float, None] = ...,  # bending rigidity along v; absent: that along u if it is given, else the preset's [N m]
        poisson: Union[float, None] = ...,  # Poisson's ratio: what a stretch along u takes from v (stvk only)
        stiffening: Union[float, None] = ...,  # r: tension grows by r * strain^2 times the stiffness beyond rest (baraff_witkin only)
        strain_limit: Union[float, None] = ...,  # largest strain of warp and weft threads, 0.05 is 5 %; 0: no limit (baraff_witkin only)
        damping: Union[float, None] = ...,  # material damping of the membrane: a strain rate weighs as much as strain / damping [s]
        bend_damping: Union[float, None] = ...,  # the same for bending [s]
    ) -> None: ...

class FabricRegion(Part):
    def __init__(
        self,
        *,
        group: Union[str, None] = ...,  # the vertices of a group of the mesh: OBJ's g, a node or prim above, a GeomSubset
        material: Union[str, None] = ...,  # the vertices of a material of the mesh
        object: Union[str, None] = ...,  # the vertices of an object of the mesh: OBJ's o, a node of glTF, a Mesh of USD
        box: Union[Union[BoxRegion, Mapping[str, Any]], None] = ...,  # the vertices that begin in a box
        sphere: Union[Union[SphereRegion, Mapping[str, Any]], None] = ...,  # the vertices that begin in a sphere
        uv_box: Union[Union[UvRegion, Mapping[str, Any]], None] = ...,  # the vertices with texture coordinates in a rectangle; of a grid: metres along u and v
        fabric: Union[Union[Literal["cotton", "wool", "wool_lycra", "polyester", "silk", "cotton_plate", "wool_plate", "wool_lycra_plate", "polyester_plate", "silk_plate", "cotton_light", "wool_coat", "canvas", "denim_stiff", "denim", "royal_target", "white_dots", "gray_interlock", "navy", "camel", "ivory", "pink", "tango", "swim", "paper", "aluminium_foil", "plain"], Union[Fabric, Mapping[str, Any]]], None] = ...,  # what it is made of; absent: what the cloth is made of
        friction: Union[float, None] = ...,  # friction coefficient of it with anything; absent: that of colliders and of self_collision
    ) -> None: ...

class BoxRegion(Part):
    def __init__(
        self,
        *,
        min: Sequence[float] = ...,  # least coordinates [m]
        max: Sequence[float] = ...,  # largest coordinates [m]
    ) -> None: ...

class SphereRegion(Part):
    def __init__(
        self,
        *,
        center: Sequence[float] = ...,  # its centre [m]
        radius: float = ...,  # its radius [m]
    ) -> None: ...

class UvRegion(Part):
    def __init__(
        self,
        *,
        min: Sequence[float] = ...,  # least u and v
        max: Sequence[float] = ...,  # largest u and v
    ) -> None: ...

class Springs(Part):
    def __init__(
        self,
        *,
        layout: Literal["edges", "cross", "double_cross"] = ...,  # which pairs of vertices get springs; cross and double_cross need a grid
        structural: Union[float, None] = ...,  # stiffness of each structural spring [N/m]
        shear: Union[float, None] = ...,  # stiffness of each shear spring [N/m]
        bend: Union[float, None] = ...,  # stiffness of each bend spring [N/m]
        damping: float = ...,  # material damping of all springs, in place of the fabric's [s]
    ) -> None: ...

class Acting(Part):
    def __init__(
        self,
        *,
        structural: bool = ...,  # structural springs; warp and weft of triangles
        shear: bool = ...,  # shear springs; shear of triangles
        bend: bool = ...,  # bend springs; bending of the fabric
    ) -> None: ...

class Pin(Part):
    def __init__(
        self,
        *,
        vertices: Sequence[int] = ...,  # vertex numbers of the cloth
        grid: Sequence[Sequence[int]] = ...,  # grid points [i, j]; -1 is the last of a row or column
        sides: Sequence[Literal["u_min", "u_max", "v_min", "v_max"]] = ...,  # whole borders of a grid: u_min is i = 0, v_max the last j
        group: Union[str, None] = ...,  # the vertices of a group of the mesh: OBJ's g, a node or prim above, a GeomSubset
        material: Union[str, None] = ...,  # the vertices of a material of the mesh
        object: Union[str, None] = ...,  # the vertices of an object of the mesh: OBJ's o, a node of glTF, a Mesh of USD
        box: Union[Union[BoxRegion, Mapping[str, Any]], None] = ...,  # the vertices that begin in a box
        sphere: Union[Union[SphereRegion, Mapping[str, Any]], None] = ...,  # the vertices that begin in a sphere
        uv_box: Union[Union[UvRegion, Mapping[str, Any]], None] = ...,  # the vertices with texture coordinates in a rectangle; of a grid: metres along u and v
        axes: str = ...,  # held directions: any of x, y, z
        motion: Union[Motion, Mapping[str, Any]] = ...,  # how the pins move; only pins of all three axes turn
        center: Sequence[float] = ...,  # what rotations of the motion turn about [m]
        follow: Union[str, None] = ...,  # name of a collider that carries the vertices, each in the frame of what is nearest to it; or of another cloth, which takes a strength
        strength: Union[float, None] = ...,  # stiffness of a spring that draws each vertex to its place; absent: it is held there [N/m]
        since: Union[float, None] = ...,  # the pin acts in frames that begin then or later; it takes vertices where they are; absent: from the start [s]
        until: Union[float, None] = ...,  # in frames that begin then or later it lets go; absent: never [s]
    ) -> None: ...

class Motion(Part):
    def __init__(
        self,
        *,
        keyframes: Sequence[Union[Keyframe, Mapping[str, Any]]] = ...,  # places at increasing times
        swing: Sequence[float] = ...,  # amplitude of swing * sin(2 pi t / period + phase) [m]
        period: float = ...,  # period of the swing [s]
        phase: float = ...,  # phase of the swing at time 0 [deg]
    ) -> None: ...

class Keyframe(Part):
    def __init__(
        self,
        *,
        time: float = ...,  # when [s]
        offset: Sequence[float] = ...,  # displacement from the scene's place [m]
        rotation: Sequence[float] = ...,  # rotation about x, then y, then z through the centre [deg]
    ) -> None: ...

class Seam(Part):
    def __init__(
        self,
        *,
        name: str = ...,  # name in messages
        a: Union[SeamSide, Mapping[str, Any]] = ...,  # one side
        b: Union[SeamSide, Mapping[str, Any]] = ...,  # the other, with as many vertices
        reversed: bool = ...,  # the first vertex of a meets the last of b, as where both have the cloth on their left; of a panel's edges, as the panel's loop goes
        start: float = ...,  # when it begins to close [s]
        speed: float = ...,  # how fast its stitches shorten [m/s]
        stiffness: float = ...,  # stiffness of its stitches while it is open, a metre of seam: force per length and stretch [N/m^2]
    ) -> None: ...

class SeamSide(Part):
    def __init__(
        self,
        *,
        panel: Union[str, None] = ...,  # the panel of the pattern whose edge it is
        edge: Union[int, None] = ...,  # the number of the edge in the panel, from 0
        vertices: Sequence[int] = ...,  # vertices of the cloth in place of panel and edge: one after another along a border, or its first and last alone, which it leads to with the front of the cloth on its left
    ) -> None: ...

class Collider(Part):
    def __init__(
        self,
        *,
        name: str = ...,  # name in messages
        enabled: bool = ...,  # false: as if it were not there
        shape: Literal["sphere", "plane", "box", "capsule", "cylinder", "mesh"] = ...,  # what it is; meshes that are not closed are met by quasi_newton only
        center: Sequence[float] = ...,  # centre; of a plane: any point of it [m]
        axis: Sequence[float] = ...,  # axis of a capsule or cylinder, normal of a plane; its length is ignored
        radius: float = ...,  # radius of a sphere, capsule or cylinder [m]
        length: float = ...,  # distance of the end centres of a capsule; height of a cylinder [m]
        size: Sequence[float] = ...,  # edge lengths of a box [m]
        rotation: Sequence[float] = ...,  # rotation about x, then y, then z through the centre [deg]
        mesh: Union[Union[MeshFile, Mapping[str, Any], Any], None] = ...,  # the surface of a mesh, in a frame whose origin is the centre
        frames: Union[Union[MeshFrames, Mapping[str, Any]], None] = ...,  # how the mesh deforms; absent: not at all
        margin: float = ...,  # distance kept from the surface beyond half the cloth's thickness [m]
        friction: float = ...,  # friction coefficient
        friction_law: Literal["coulomb", "cs184"] = ...,  # coulomb or cs184
        motion: Union[Motion, Mapping[str, Any]] = ...,  # how it moves
        colour: Union[str, None] = ...,  # colour in pictures and exports, sRGB as "#rrggbb"; absent: by the mesh's materials, or clay
    ) -> None: ...

class MeshFile(Part):
    def __init__(
        self,
        *,
        file: Any = ...,  # OBJ, PLY, GLB, glTF or USD file (.obj .ply .glb .gltf .usda), relative to the scene and below its folder
        scale: float = ...,  # factor from the file's unit to metres; glTF and USD are read as metres with y up
        rotation: Sequence[float] = ...,  # rotation about x, then y, then z through the origin, after scaling [deg]
        translation: Sequence[float] = ...,  # displacement after rotation [m]
        object: Union[str, None] = ...,  # the object of the file that is taken; absent: all, and of a cloth each is one of its own
    ) -> None: ...

class MeshFrames(Part):
    def __init__(
        self,
        *,
        file: Any = ...,  # mesh files, as body_%04d.obj, one PC2 file, or one GLB or glTF file with animations; relative to the scene and below its folder
        first: int = ...,  # number of the first mesh file
        count: int = ...,  # how many mesh files; a PC2 file knows how many frames it has
        start: float = ...,  # time of the first frame [s]
        interval: float = ...,  # time between two frames; of an animation it becomes the scene's frame_time [s]
        animation: Union[str, None] = ...,  # name of the animation of a GLB or glTF file; absent: its first
        speed: Union[float, None] = ...,  # how fast the animation goes: 2 is twice as fast; absent: 1
    ) -> None: ...

class SelfCollision(Part):
    def __init__(
        self,
        *,
        enabled: bool = ...,  # cloth keeps from cloth
        distance: Union[float, None] = ...,  # distance kept; absent: the thickness of the cloth [m]
        friction: float = ...,  # friction coefficient of cloth on cloth, where contact is of pairs
        relaxation: float = ...,  # fraction of the mean correction applied in a substep, where contact is of vertices
    ) -> None: ...

class Dress(Part):
    def __init__(
        self,
        *,
        body: str = ...,  # name of the collider, a closed mesh without frames
        thin: float = ...,  # how far it is drawn in to its medial axis, as a fraction of the way
        sew: float = ...,  # time for the seams to close, without gravity [s]
        grow: float = ...,  # time in which the body grows back after that [s]
        damping: float = ...,  # rate at which velocities decay until then [1/s]
        friction: float = ...,  # friction of the body and of cloth until then
    ) -> None: ...

class SolverSettings(Part):
    def __init__(
        self,
        *,
        family: str = ...,  # solver that runs the scene: a name from `muslin list solvers`
        budget: int = ...,  # most work that a frame of newton or quasi_newton may take, or the run is given up; counted in iterations, those of linear solves and contact included
        explicit: Union[ExplicitSettings, Mapping[str, Any]] = ...,  # settings of the explicit family
        position: Union[PositionSettings, Mapping[str, Any]] = ...,  # settings of the position-based family
        implicit: Union[ImplicitSettings, Mapping[str, Any]] = ...,  # settings of the implicit family
        newton: Union[NewtonSettings, Mapping[str, Any]] = ...,  # settings of Newton's method
        baraff_witkin: Union[BaraffWitkinSettings, Mapping[str, Any]] = ...,  # settings of Baraff and Witkin's linearised step
        block_descent: Union[BlockDescentSettings, Mapping[str, Any]] = ...,  # settings of block descent
        projective: Union[ProjectiveSettings, Mapping[str, Any]] = ...,  # settings of projective dynamics
        quasi_newton: Union[QuasiNewtonSettings, Mapping[str, Any]] = ...,  # settings of multigrid quasi-Newton
    ) -> None: ...

class ExplicitSettings(Part):
    def __init__(
        self,
        *,
        substeps: Union[int, None] = ...,  # steps a frame; absent: as many as the stiffest vertex needs to stay stable
        velocity_loss: float = ...,  # fraction of the velocity that every substep takes away (CS184's damping percent / 100)
        verlet: bool = ...,  # velocity is the last displacement over the step, so constraints change it too; false: symplectic Euler
        spring_forces: bool = ...,  # springs pull; false: only relaxation holds the cloth together
        relaxation_sweeps: int = ...,  # sweeps that restore every spring to its rest length before the step (Mosegaard)
        stretch_limit: Union[float, None] = ...,  # longest allowed spring over its rest length, enforced after the step (Provot 1995); absent: none
        limit_sweeps: int = ...,  # sweeps of the stretch limit
        split: Literal["mass", "half"] = ...,  # how sweeps divide a correction between the two ends
    ) -> None: ...

class PositionSettings(Part):
    def __init__(
        self,
        *,
        quality: Union[Literal["strain 5 %", "strain 2 %", "strain 1 %", "strain 0.5 %"], None] = ...,  # strain that 99 of 100 edges keep below: substeps, iterations and coarse follow from it by a measured rule; absent: they are as given
        path: Union[Literal["general", "lines", "colours"], None] = ...,  # general: constraint by constraint; lines: whole rows and columns of grids at once, else colours; colours: elements that share no vertex side by side, springs along a mesh's weave in whole lines; both where xpbd and the scene allow it, else general; absent: the fastest that they allow, general where iterations or sweep are given
        substeps: Union[int, None] = ...,  # steps a frame; absent: 20
        integrator: Literal["euler", "bdf2", "sdirk2"] = ...,  # euler: first order; bdf2: two steps back, with a fifth of euler, which loses less of a swing; steps in contact are euler's
        velocity_loss: float = ...,  # fraction of the velocity that every substep takes away
        method: Literal["pbd", "xpbd"] = ...,  # pbd: rigid constraints; xpbd: the material's compliance
        sweep: Literal["gauss_seidel", "natural", "jacobi"] = ...,  # order in which constraints are projected
        iterations: int = ...,  # sweeps a substep
        coarse: bool = ...,  # whether every substep also corrects what is too long over many vertices: by tethers to the pins, on lines by a coarser net, too
        blend: float = ...,  # weight of the old position in a Jacobi average
        split: Literal["mass", "half"] = ...,  # how pbd divides a correction between the two ends
        contact: Literal["vertices", "pairs"] = ...,  # of cloth with cloth: vertices keep apart, or pairs of elements, which never pass through each other
    ) -> None: ...

class ImplicitSettings(Part):
    def __init__(
        self,
        *,
        substeps: int = ...,  # steps a frame
        velocity_loss: float = ...,  # fraction of the velocity that every substep takes away
        direction: Literal["uniform", "diagonal"] = ...,  # what the gradient is divided by
        uniform_factor: float = ...,  # c of the uniform direction m/h^2 + c k
        acceleration: Literal["none", "chebyshev"] = ...,  # none or Chebyshev over-relaxation
        rho: Union[float, None] = ...,  # part of the slowest error that a plain iteration leaves; absent: measured
        delay: int = ...,  # plain iterations before Chebyshev begins, also after a restart
        iterations: int = ...,  # most iterations a substep
        tolerance: float = ...,  # stop when no vertex has further to go, by its last move and rho; 0: never stop early [m]
        check_every: int = ...,  # iterations between two looks at the objective, which catch divergence; 0: never look
        start_with_gravity: bool = ...,  # start from y = x + h v + h^2 f/m; false: from x + h v (GAMES103)
        contact_within: bool = ...,  # colliders push out every iterate; false: only the result, after the descent (GAMES103)
    ) -> None: ...

class NewtonSettings(Part):
    def __init__(
        self,
        *,
        substeps: Union[int, None] = ...,  # steps a frame; absent: 1, of block_descent 4, or as many as accuracy asks for
        velocity_loss: float = ...,  # fraction of the velocity that every substep takes away
        integrator: Literal["euler", "bdf2", "sdirk2"] = ...,  # euler: first order; bdf2: second order, but for steps in contact, which are euler's; sdirk2: second order in two implicit stages, where cloth touches something first order
        accuracy: Union[float, None] = ...,  # estimated error that the steps of a frame may make, root mean square over a cloth; chooses the steps where adaptive is set and substeps is absent [m]
        adaptive: bool = ...,  # halve a step that stretches an edge too much or does not converge, grow again after good ones
        halvings: int = ...,  # most halvings of an adaptive step
        stretch_change: float = ...,  # largest change of an edge's strain that an adaptive step may make
        iterations: int = ...,  # most Newton iterations a substep
        tolerance: float = ...,  # stop when no vertex moves further in an iteration; 0: not by moves [m]
        residual: float = ...,  # stop when the residual is this fraction of the first; 0: not by residuals
        linear: Literal["pcg", "cholesky"] = ...,  # how the linear systems are solved
        preconditioner: Literal["block_jacobi", "two_level", "multigrid"] = ...,  # pcg: 3x3 blocks of the diagonal, these and patches of cloth that move as one, or a multigrid cycle
        curvature: Literal["projected", "on_demand"] = ...,  # which second derivatives are used
        forcing: float = ...,  # pcg: largest relative error of a linear solve; it tightens as the residual falls
        linear_iterations: int = ...,  # pcg: most iterations of a linear solve
    ) -> None: ...

class BaraffWitkinSettings(Part):
    def __init__(
        self,
        *,
        substeps: Union[int, None] = ...,  # steps a frame; absent: 1, of block_descent 4, or as many as accuracy asks for
        velocity_loss: float = ...,  # fraction of the velocity that every substep takes away
        integrator: Literal["euler", "bdf2", "sdirk2"] = ...,  # euler: first order; bdf2: second order, but for steps in contact, which are euler's; sdirk2: second order in two implicit stages, where cloth touches something first order
        accuracy: Union[float, None] = ...,  # estimated error that the steps of a frame may make, root mean square over a cloth; chooses the steps where adaptive is set and substeps is absent [m]
        adaptive: bool = ...,  # halve a step that stretches an edge too much or does not converge, grow again after good ones
        halvings: int = ...,  # most halvings of an adaptive step
        stretch_change: float = ...,  # largest change of an edge's strain that an adaptive step may make
        linear_tolerance: float = ...,  # relative error of the linear solve, in the preconditioned norm
        preconditioner: Literal["block_jacobi", "two_level", "multigrid"] = ...,  # 3x3 blocks of the diagonal, these and patches of cloth that move as one, or a multigrid cycle
        linear_iterations: int = ...,  # most iterations of the linear solve
    ) -> None: ...

class BlockDescentSettings(Part):
    def __init__(
        self,
        *,
        substeps: Union[int, None] = ...,  # steps a frame; absent: 1, of block_descent 4, or as many as accuracy asks for
        velocity_loss: float = ...,  # fraction of the velocity that every substep takes away
        integrator: Literal["euler", "bdf2", "sdirk2"] = ...,  # euler: first order; bdf2: second order, but for steps in contact, which are euler's; sdirk2: second order in two implicit stages, where cloth touches something first order
        accuracy: Union[float, None] = ...,  # estimated error that the steps of a frame may make, root mean square over a cloth; chooses the steps where adaptive is set and substeps is absent [m]
        adaptive: bool = ...,  # halve a step that stretches an edge too much or does not converge, grow again after good ones
        halvings: int = ...,  # most halvings of an adaptive step
        stretch_change: float = ...,  # largest change of an edge's strain that an adaptive step may make
        iterations: int = ...,  # most sweeps a substep; with Chebyshev they come in pairs
        tolerance: float = ...,  # stop when no vertex has further to go, by its last move and rho; 0: never stop early [m]
        acceleration: Literal["none", "chebyshev"] = ...,  # none, or Chebyshev over-relaxation of sweeps there and back
        rho: Union[float, None] = ...,  # part of the slowest error that one iteration (Chebyshev: two sweeps) leaves; absent: measured
    ) -> None: ...

class ProjectiveSettings(Part):
    def __init__(
        self,
        *,
        substeps: Union[int, None] = ...,  # steps a frame; absent: 1, of block_descent 4, or as many as accuracy asks for
        velocity_loss: float = ...,  # fraction of the velocity that every substep takes away
        integrator: Literal["euler", "bdf2", "sdirk2"] = ...,  # euler: first order; bdf2: second order, but for steps in contact, which are euler's; sdirk2: second order in two implicit stages, where cloth touches something first order
        accuracy: Union[float, None] = ...,  # estimated error that the steps of a frame may make, root mean square over a cloth; chooses the steps where adaptive is set and substeps is absent [m]
        adaptive: bool = ...,  # halve a step that stretches an edge too much or does not converge, grow again after good ones
        halvings: int = ...,  # most halvings of an adaptive step
        stretch_change: float = ...,  # largest change of an edge's strain that an adaptive step may make
        iterations: int = ...,  # most iterations a substep
        tolerance: float = ...,  # stop when no vertex moves further in an iteration; 0: never stop early [m]
        history: int = ...,  # pairs that L-BFGS remembers; 0: plain projective dynamics
    ) -> None: ...

class QuasiNewtonSettings(Part):
    def __init__(
        self,
        *,
        substeps: Union[int, None] = ...,  # steps a frame; absent: 1, of block_descent 4, or as many as accuracy asks for
        velocity_loss: float = ...,  # fraction of the velocity that every substep takes away
        integrator: Literal["euler", "bdf2", "sdirk2"] = ...,  # euler: first order; bdf2: second order, but for steps in contact, which are euler's; sdirk2: second order in two implicit stages, where cloth touches something first order
        accuracy: Union[float, None] = ...,  # estimated error that the steps of a frame may make, root mean square over a cloth; chooses the steps where adaptive is set and substeps is absent [m]
        adaptive: bool = ...,  # halve a step that stretches an edge too much or does not converge, grow again after good ones
        halvings: int = ...,  # most halvings of an adaptive step
        stretch_change: float = ...,  # largest change of an edge's strain that an adaptive step may make
        preset: Literal["interactive", "default", "accurate"] = ...,  # accuracy of a frame, where that is absent, and tolerances that fit it: interactive 3 mm, default 1 mm, accurate 0.1 mm
        iterations: Union[int, None] = ...,  # most iterations a substep; absent: 60, of preset interactive 30
        tolerance: Union[float, None] = ...,  # stop when the estimated root mean square distance to the minimum is less, in every piece of cloth; of steps below 1/60 s less, in proportion to their length, of sdirk2 to its square; absent: as accuracy says [m]
        milliseconds: Union[float, None] = ...,  # a substep that takes longer ends at its best iterate so far, and distance_left says how far from the minimum; steps are not halved; bodies and pins may stop short of their targets; what comes out hangs on the clock; absent: no limit [ms]
        history: int = ...,  # pairs that L-BFGS remembers
        forcing: float = ...,  # relative error of linear solves where Newton's method takes over; twice that where cloth buckles
        relative_motion: float = ...,  # a step in which surfaces that meet move farther relative to each other than so many thicknesses of their contact is cut beforehand (adaptive)
    ) -> None: ...
