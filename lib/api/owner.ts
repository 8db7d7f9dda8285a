/** Who controls an object: of its owner references, at most one says that it does. */
import { at, type KubeObject, stringAt } from './json.ts';

/** uid of the controller; undefined: nothing controls the object. */
export function controllerUid({ metadata }: KubeObject): string | undefined {
  const owners = metadata?.['ownerReferences'];
  const controller = Array.isArray(owners) ? owners.find((owner) => at(owner, 'controller') === true) : undefined;
  return stringAt(controller, 'uid');
}
