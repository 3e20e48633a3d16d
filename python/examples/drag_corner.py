"""Reinforcement learning's interface [Gymnasium] around a cloth: a gripper holds one corner and is to bring it to a goal.

An observation is where the vertices are and where the goal is; an action moves the gripper by at most 1 cm a frame along
each axis; the reward is minus the distance of the corner to the goal. It needs no other package; gymnasium.Env may be
mixed in where it is installed.
"""
import numpy as np

import muslin


class DragCorner:
    REACH = 0.01  # of the gripper in a frame [m]
    NEAR = 0.005  # the goal is reached [m]

    def __init__(self, points=12, most_steps=120):
        self.simulation = muslin.Simulation(muslin.Scene(
            name="drag a corner",
            cloths=[muslin.Cloth(grid=muslin.Grid(points=[points, points], size=[0.3, 0.3]), fabric="cotton",
                                 pins=[muslin.Pin(grid=[[0, 0], [0, -1]])])],
            solver="xpbd"), threads=1)
        self.corner = points - 1  # vertex (points - 1, 0)
        self.most_steps = most_steps

    def reset(self, seed=None):
        random = np.random.default_rng(seed)
        self.simulation.reset()
        self.goal = self.simulation.positions[self.corner] + random.uniform([-0.2, -0.1, 0], [-0.05, 0.1, 0.2])
        self.simulation.pin(self.corner)
        return self._observation(), {}

    def step(self, action):
        held = self.simulation.positions[self.corner]
        self.simulation.pin(self.corner, held + np.clip(action, -self.REACH, self.REACH))
        report = self.simulation.step()
        distance = float(np.linalg.norm(self.simulation.positions[self.corner] - self.goal))
        reached = distance < self.NEAR
        ended = report.frame >= self.most_steps or report.status == "diverged"
        return self._observation(), -distance, reached, ended, {"strain": report.strain_max}

    def render(self):
        return muslin.render(self.simulation, size=(480, 360))

    def _observation(self):
        return np.concatenate([self.simulation.positions.ravel(), self.goal])


if __name__ == "__main__":
    environment = DragCorner()
    observation, _ = environment.reset(seed=1)
    reached = ended = False
    while not (reached or ended):  # a policy that knows the way: straight to the goal
        corner = observation[:-3].reshape(-1, 3)[environment.corner]
        observation, reward, reached, ended, info = environment.step(observation[-3:] - corner)
    print(f"frame {environment.simulation.frame}: {-1000 * reward:.2f} mm from the goal, strain {info['strain']:.4f}")
