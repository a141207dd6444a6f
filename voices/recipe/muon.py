"""Muon: momentum whose matrices are replaced by nearly orthogonal ones.
Convolution weights are taken as [first dimension, all others]. Matrices of one
shape are handled together, the iteration runs in bfloat16."""
import torch


class Muon(torch.optim.Optimizer):
    def __init__(self, params, lr, momentum=0.95, weight_decay=0.01, steps=4):
        super().__init__(params, dict(lr=lr, momentum=momentum,
                                      weight_decay=weight_decay, steps=steps))

    @torch.no_grad()
    def step(self):
        for g in self.param_groups:
            shapes = {}
            for p in g["params"]:
                st = self.state[p]
                if "m" not in st:
                    st["m"] = torch.zeros_like(p)
                st["m"].lerp_(p.grad, 1 - g["momentum"])
                u = p.grad.lerp(st["m"], g["momentum"]).flatten(1)
                turn = u.shape[0] > u.shape[1]
                if turn:
                    u = u.T
                shapes.setdefault(u.shape, []).append((p, u, turn))
            for pu in shapes.values():
                X = torch.stack([u for _, u, _ in pu])
                X = (X / (X.norm(dim=(1, 2), keepdim=True) + 1e-8)).bfloat16()
                for _ in range(g["steps"]):
                    A = X @ X.transpose(1, 2)
                    B = torch.baddbmm(A, A, A, beta=-4.7750, alpha=2.0315)
                    X = torch.baddbmm(X, B, X, beta=3.4445)
                for (p, _, turn), x in zip(pu, X.float()):
                    if turn:
                        x = x.T
                    p.mul_(1 - g["lr"] * g["weight_decay"])
                    p.add_(x.reshape(p.shape), alpha=-g["lr"] * max(
                        1.0, x.shape[0] / x.shape[1]) ** 0.5)
