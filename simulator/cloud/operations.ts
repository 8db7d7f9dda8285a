/** Operations of a provider: they take time and end in the background, or the cloud refuses them. */
import { DELETING, notSynced } from '#lib/api/conditions.ts';
import type { KubeObject } from '#lib/api/json.ts';
import { describeRef, type ObjectRef, refOf } from '../store/ref.ts';
import type { ManagedState } from './managed-state.ts';
import type { ProviderParts } from './provider-parts.ts';
import { CREATING, operationFailed } from './resource.ts';
import type { StatusWriter } from './status-writer.ts';

export class Operations {
  readonly #parts: Pick<ProviderParts, 'clock' | 'faultDice' | 'recorder'>;
  readonly #statusWriter: StatusWriter;
  readonly #requeue: (ref: ObjectRef) => void;

  constructor(
    parts: Pick<ProviderParts, 'clock' | 'faultDice' | 'recorder'>,
    statusWriter: StatusWriter,
    requeue: (ref: ObjectRef) => void,
  ) {
    this.#parts = parts;
    this.#statusWriter = statusWriter;
    this.#requeue = requeue;
  }

  /** Begins an operation, and ends it when its time is over. */
  begin(resource: KubeObject, care: ManagedState, range: readonly [number, number], end: () => void): void {
    const { clock, faultDice } = this.#parts;
    const ref = refOf(resource);
    care.busy = true;
    clock.after(faultDice.seconds(range, describeRef(ref), care.attempts++), () => {
      care.busy = false;
      end();
      this.#requeue(ref);
    });
  }

  /** An attempt that the cloud refuses. */
  failed(
    resource: KubeObject,
    care: ManagedState,
    operation: 'Create' | 'Update' | 'Delete',
    cause: string,
  ): 'back-off' {
    care.attempts++;
    const message = `async ${operation.toLowerCase()} failed: ${cause}`;
    this.#parts.recorder.event(resource, 'Warning', `Cannot${operation}ExternalResource`, message);
    const ready = { Create: [CREATING], Update: [], Delete: [DELETING] }[operation];
    this.#statusWriter.mark(resource, [
      ...ready,
      notSynced(`${operation.toLowerCase()} failed: ${message}`),
      operationFailed(operation, message),
    ]);
    return 'back-off';
  }
}
