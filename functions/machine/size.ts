/** The size of a machine: its instance type as reported by the cloud, and every class that maps to it. */
import type { MachineStatus } from '#lib/api/kinds/machine.ts';
import type { MachineState } from './state.ts';
import type { Situation } from './situation.ts';

type Size = NonNullable<MachineStatus['size']>;

/** The maximum in the schema of the status. */
const MOST = 100;

/** Undefined while the cloud does not report the type, and while it is being changed. */
export function sizeOf({ input }: Situation, { virtualMachine, lost }: MachineState): Size | undefined {
  const { instanceType } = virtualMachine;
  if (instanceType === undefined || lost !== undefined) return undefined;
  const mapped = Object.keys(input.classes).filter((name) => input.classes[name] === instanceType);
  // A class that is not mapped is used as it is.
  const passed = Object.hasOwn(input.classes, instanceType) ? [] : [instanceType];
  return { instanceType, classes: [...mapped, ...passed].toSorted().slice(0, MOST) };
}
