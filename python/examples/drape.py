# A handkerchief falls over a ball; a picture of it, without a display.
import muslin

scene = muslin.Scene(
    cloths=[muslin.Cloth(grid=muslin.Grid(points=[24, 24], size=[0.5, 0.5], origin=[-0.25, 0.3, -0.25]), fabric="cotton")],
    colliders=[muslin.Collider(shape="sphere", radius=0.12, center=[0, 0.15, 0]), muslin.Collider(shape="plane")],
    self_collision=muslin.SelfCollision(enabled=True),
)
simulation = muslin.Simulation(scene)
simulation.run(40, progress=True)
muslin.save_png("drape.png", muslin.render(simulation))
