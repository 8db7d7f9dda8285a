/** The call that starts a Talos cluster: `Bootstrap`, whose request has no fields. */
import { messageOf } from '#lib/api/errors.ts';
import { callTalos, credentialsOf, TALOS_PORT, TalosRefusal } from './call.ts';

/** Code of gRPC: etcd exists, which is what the caller wants. */
const ALREADY_EXISTS = '6';

/**
 * Calls the machine once. Undefined: it accepted the call, or had been called before; otherwise why not.
 * @param talosconfig  its text, which is never repeated
 * @param port  @default that of the Talos API
 */
export async function bootstrapTalos(
  address: string,
  talosconfig: string,
  port = TALOS_PORT,
): Promise<string | undefined> {
  const credentials = credentialsOf(talosconfig);
  if (credentials === undefined) return 'the Secret holds no talosconfig';
  try {
    await callTalos(address, credentials, { method: 'Bootstrap', port });
    return undefined;
  } catch (thrown) {
    if (thrown instanceof TalosRefusal && thrown.status === ALREADY_EXISTS) return undefined;
    return messageOf(thrown);
  }
}
