/** The size a machine has: its instance type as the cloud reports it, and every class that would make the same one. */
import type { MachineStatus } from '#lib/api/kinds/machine.ts';
import type { Life } from './life.ts';
import type { Situation } from './situation.ts';

type Size = NonNullable<MachineStatus['size']>;

/** As many as the schema of the status takes. */
const MOST = 100;

/** Undefined while the cloud does not report the type, and while it is being changed. */
export function sizeOf({ input }: Situation, { virtualMachine, lost }: Life): Size | undefined {
  const { instanceType } = virtualMachine;
  if (instanceType === undefined || lost !== undefined) return undefined;
  const mapped = Object.keys(input.classes).filter((name) => input.classes[name] === instanceType);
  // A class that is not mapped is passed on as it is.
  const passed = Object.hasOwn(input.classes, instanceType) ? [] : [instanceType];
  return { instanceType, classes: [...mapped, ...passed].toSorted().slice(0, MOST) };
}
