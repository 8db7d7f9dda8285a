/** What a simulated claim waits for in vain: only its author can change it, or a real machine. */
import { UNKNOWN_PROGRAM } from '#simulator/engine.ts';

/** Of a condition: an object that is named is not there, or a cloud object that is only observed is not. */
export function isMissing(message: string): boolean {
  return /: (?:not accepted yet, or )?not found(?:;|$)/.test(message) || isNotInCloud(message);
}

/** Whether a provider looks for what it may not create, in a cloud that does not have it. */
export function isNotInCloud(message: string): boolean {
  return message.endsWith(': external resource does not exist');
}

/** Whether no Composition has the name or the labels that a claim chooses one by. */
export function isWithoutComposition(message: string): boolean {
  return message.includes('cannot select Composition: ');
}

/** Whether a machine looks for a Host in a namespace that has none: only their owner writes them. */
export function isWithoutHosts(message: string): boolean {
  return /: there are no Hosts in namespace /.test(message);
}

/** Whether a machine has the program of a bootstrapper that no simulated machine has. */
export function isUnknownProgram(message: string): boolean {
  return message.endsWith(UNKNOWN_PROGRAM);
}
