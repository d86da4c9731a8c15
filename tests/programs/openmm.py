"""OpenMM's forces and steps on the device against those of its reference platform."""
import sys

sys.path.pop(0)  # this file's folder: it has the module's name
import numpy as np
import openmm
from openmm import app, unit

openmm.Platform.loadPluginsFromDirectory(openmm.Platform.getDefaultPluginsDirectory())
SIZE = 2.4  # of the box, in nm
field = app.ForceField("amber14/tip3p.xml")
water = app.Modeller(app.Topology(), [])
water.addSolvent(field, boxSize=openmm.Vec3(SIZE, SIZE, SIZE) * unit.nanometer)
positions = water.positions


def of_water(method):
    return field.createSystem(water.topology, nonbondedMethod=method, nonbondedCutoff=0.9 * unit.nanometer,
                              constraints=app.HBonds)


def of_particles(force, *parameters):
    """As many particles as the water has atoms, with the parameters of each in turn."""
    system = openmm.System()
    system.setDefaultPeriodicBoxVectors((SIZE, 0, 0), (0, SIZE, 0), (0, 0, SIZE))
    for n in range(len(positions)):
        system.addParticle(12)
        force.addParticle(*parameters[n % len(parameters)])
    system.addForce(force)
    return system


def born():
    force = openmm.GBSAOBCForce()
    return of_particles(force, (-0.8, 0.15, 0.85), (0.4, 0.12, 0.85), (0.4, 0.12, 0.85))


def custom(method):
    force = openmm.CustomNonbondedForce("a1*a2*exp(-r/0.2)+sqrt(b1*b2)/(r+0.1)^2")
    force.addPerParticleParameter("a")
    force.addPerParticleParameter("b")
    force.setNonbondedMethod(method)
    force.setCutoffDistance(0.8)
    return of_particles(force, ((3, 0.5),), ((-2, 0.25),), ((1, 1),))


def bonds():
    force = openmm.CustomBondForce("k*(r-r0)^2+0.1*sin(20*r)")
    force.addPerBondParameter("k")
    force.addPerBondParameter("r0")
    system = openmm.System()
    for n in range(len(positions)):
        system.addParticle(12)
        if n:
            force.addBond(n - 1, n, (20 + n % 7, 0.3))
    angles = openmm.HarmonicAngleForce()
    torsions = openmm.PeriodicTorsionForce()
    for n in range(3, len(positions), 3):
        angles.addAngle(n - 2, n - 1, n, 1.8, 50)
        torsions.addTorsion(n - 3, n - 2, n - 1, n, 1 + n % 3, 0.5, 8)
    for each in (force, angles, torsions):
        system.addForce(each)
    return system


SYSTEMS = {
    "water, PME": lambda: of_water(app.PME),
    "water, Ewald": lambda: of_water(app.Ewald),
    "water, LJPME": lambda: of_water(app.LJPME),
    "water, cutoff": lambda: of_water(app.CutoffPeriodic),
    "water, all pairs": lambda: of_water(app.NoCutoff),
    "Born": born,
    "custom, all pairs": lambda: custom(openmm.CustomNonbondedForce.NoCutoff),
    "custom, cutoff": lambda: custom(openmm.CustomNonbondedForce.CutoffPeriodic),
    "bonds, angles, torsions": bonds,
}
INTEGRATORS = {
    "Verlet": lambda: openmm.VerletIntegrator(0.001),
    "Langevin": lambda: openmm.LangevinMiddleIntegrator(300, 1, 0.001),
    "variable": lambda: openmm.VariableVerletIntegrator(1e-4),
}


def of(system, platform, integrator=None, **properties):
    context = openmm.Context(system, integrator or openmm.VerletIntegrator(0.001),
                             openmm.Platform.getPlatformByName(platform), properties)
    context.setPositions(positions)
    return context


def forces(context):
    state = context.getState(getForces=True, getEnergy=True)
    return state.getForces(asNumpy=True)._value, state.getPotentialEnergy()._value


tried = wrong = 0
for name, make in SYSTEMS.items():
    system = make()
    want, energy = forces(of(system, "Reference"))
    scale = np.sqrt((want**2).mean())
    for precision, most in (("single", 2e-4), ("mixed", 2e-4), ("double", 1e-5)):
        got, other = forces(of(system, "OpenCL", Precision=precision))
        off = np.sqrt(((got - want) ** 2).mean()) / scale
        tried += 1
        # The platforms cut Ewald's sums off elsewhere.
        if not off < most or not abs(other - energy) < 2e-4 * abs(energy):
            print(f"{name}, {precision}: forces off by {off} of {scale}, energy {other} in place of {energy}")
            wrong += 1
for name, make in INTEGRATORS.items():
    context = of(of_water(app.PME), "OpenCL", make())
    openmm.LocalEnergyMinimizer.minimize(context, maxIterations=30)
    context.setVelocitiesToTemperature(300, 1)

    def total():
        state = context.getState(getEnergy=True)
        return (state.getPotentialEnergy() + state.getKineticEnergy())._value

    before = total()
    context.getIntegrator().step(50)
    tried += 1
    if not abs(total() - before) < 0.05 * abs(before):
        print(f"{name}: energy {total()} after 50 steps, {before} before")
        wrong += 1
print(f"{tried} results, {wrong} wrong")
sys.exit(wrong != 0)
