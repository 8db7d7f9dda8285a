/** A request as its bytes: its parts are found at once; its objects are read when the function looks at them. */
import { SlipwayError } from '#lib/api/errors.ts';
import type { JsonObject, KubeObject } from '#lib/api/json.ts';
import type { Desired, Observed, Request } from '#lib/fn/request.ts';
import { ReadObjects } from './identity.ts';
import { objectFrom } from './object.ts';
import { readable } from './readable.ts';
import { addEntry, connectionDetails, entriesOf, type Found, foundIn } from './resource.ts';
import { eachField, fieldTag, merged, messageAt, type Slice, wholeOf } from './slice.ts';
import { headOf, objectOf, structOf } from './struct.ts';

export interface Incoming {
  readonly tag: string;
  readonly observed: State;
  readonly desired: State;
  readonly input: Slice | undefined;
  readonly context: Slice | undefined;
  readonly required: ReadonlyMap<string, Slice>;
  /** Where objects and resources of its Request are in it: what is desired again unchanged goes back as its bytes. */
  readonly cameAs: Map<object, Slice>;
}

interface State {
  /** Undefined: no step has spoken. */
  readonly whole: Slice | undefined;
  readonly composite: Found | undefined;
  readonly resources: ReadonlyMap<string, Slice>;
}

const META = fieldTag(1, 2);
const OBSERVED = fieldTag(2, 2);
const DESIRED = fieldTag(3, 2);
const INPUT = fieldTag(4, 2);
const CONTEXT = fieldTag(5, 2);
const REQUIRED = fieldTag(8, 2);
const TAG = fieldTag(1, 2);
const COMPOSITE = fieldTag(1, 2);
const RESOURCES = fieldTag(2, 2);
const ITEM = fieldTag(1, 2);

/** Throws BrokenContract at bytes that are not a request. */
export function incoming(bytes: Uint8Array): Incoming {
  return readable('request', () => {
    const parts = new Map<number, Slice>();
    const required = new Map<string, Slice>();
    eachField(wholeOf(bytes), (tag, reader) => {
      if (tag === REQUIRED) addEntry(required, reader);
      else if (tag === META || tag === OBSERVED || tag === DESIRED || tag === INPUT || tag === CONTEXT)
        parts.set(tag, merged(parts.get(tag), messageAt(reader)));
      else return false;
      return true;
    });
    return {
      tag: tagIn(parts.get(META)),
      observed: stateIn(parts.get(OBSERVED)),
      desired: stateIn(parts.get(DESIRED)),
      input: parts.get(INPUT),
      context: parts.get(CONTEXT),
      required,
      cameAs: new Map(),
    };
  });
}

/** Its Request. Throws BrokenContract where a part that is read at once is none. */
export function requestIn(message: Incoming): Request {
  return readable('request', () => {
    const { tag, observed, desired, required, cameAs } = message;
    if (observed.composite?.object === undefined)
      throw new SlipwayError('BrokenContract', 'cannot read the request: it has no observed composite resource');
    const known = new ReadObjects();
    const requirements = entriesOf(required, (whole) => itemsIn(whole, known));
    return {
      meta: { tag },
      input: message.input === undefined ? undefined : structOf(message.input, 2),
      observed: {
        composite: kubeObject(observed.composite),
        resources: entriesOf(observed.resources, (whole) => observedFrom(foundIn(whole, 4), known)),
      },
      desired: {
        composite: looseObject(desired.composite),
        compositeReady: desired.composite?.ready ?? 'Unspecified',
        resources: entriesOf(desired.resources, (whole) => desiredFrom(foundIn(whole, 4), cameAs)),
      },
      context: contextIn(message) ?? {},
      required: requirements,
    };
  });
}

/** Undefined: it has none. Throws BrokenContract. */
export function contextIn({ context }: Incoming): JsonObject | undefined {
  return context === undefined ? undefined : readable('request', () => structOf(context, 2));
}

/** Throws BrokenContract if something that is desired cannot be read, whether or not it is an object of Kubernetes. */
export function readDesired({ desired }: Incoming): void {
  const all = [desired.composite, ...[...desired.resources.values()].map((whole) => foundIn(whole, 4))];
  for (const found of all) if (found !== undefined) looseObject(found);
}

/** The same as Request, for tests and for callers that need nothing else of the message. Throws BrokenContract. */
export function decodeRequest(bytes: Uint8Array): Request {
  return requestIn(incoming(bytes));
}

function tagIn(meta: Slice | undefined): string {
  let text = '';
  if (meta !== undefined)
    eachField(meta, (tag, reader) => {
      if (tag !== TAG) return false;
      text = reader.string();
      return true;
    });
  return text;
}

function stateIn(whole: Slice | undefined): State {
  const resources = new Map<string, Slice>();
  let composite: Slice | undefined;
  if (whole !== undefined)
    eachField(whole, (tag, reader) => {
      if (tag === RESOURCES) addEntry(resources, reader);
      else if (tag === COMPOSITE) composite = merged(composite, messageAt(reader));
      else return false;
      return true;
    });
  return { whole, composite: composite === undefined ? undefined : foundIn(composite, 3), resources };
}

/** @param known gets what may be observed as well */
function itemsIn(whole: Slice, known: ReadObjects): readonly KubeObject[] {
  const items: KubeObject[] = [];
  eachField(whole, (tag, reader) => {
    if (tag !== ITEM) return false;
    const found = foundIn(messageAt(reader), 4);
    const object = kubeObject(found);
    if (found.object !== undefined) known.add(object, found.object);
    items.push(object);
    return true;
  });
  return items;
}

function observedFrom(found: Found, known: ReadObjects): Observed {
  const { object: slice } = found;
  if (slice === undefined) throw notAnObject();
  let object: KubeObject | undefined;
  let head: KubeObject | undefined;
  let details: Observed['connectionDetails'] | undefined;
  return {
    get resource() {
      return (object ??= readable('request', () => known.twinOf(slice)) ?? kubeObject(found));
    },
    get head() {
      return object ?? (head ??= objectFrom(readable('request', () => headOf(slice, found.depth))));
    },
    get connectionDetails() {
      return (details ??= readable('request', () => connectionDetails(found)));
    },
  };
}

function desiredFrom(found: Found, cameAs: Map<object, Slice>): Desired {
  const { object: slice, ready, whole, depth } = found;
  if (slice === undefined) throw notAnObject();
  let object: KubeObject | undefined;
  const read = (): KubeObject => {
    const came = readable('request', () => structOf(slice, depth));
    const known = objectFrom(came);
    if (known === came) cameAs.set(known, slice);
    return known;
  };
  const one: Desired = {
    get resource() {
      return (object ??= read());
    },
    ready,
  };
  cameAs.set(one, whole);
  return one;
}

/** Throws BrokenContract naming the field. */
function kubeObject({ object, depth }: Found): KubeObject {
  if (object === undefined) throw notAnObject();
  return objectFrom(readable('request', () => objectOf(object, depth)));
}

function notAnObject(): SlipwayError {
  return new SlipwayError('BrokenContract', 'cannot read a resource of the message: it is not an object');
}

/** Of the desired XR, steps desire parts. */
function looseObject(found: Found | undefined): KubeObject | undefined {
  return found?.object === undefined ? undefined : (structOf(found.object, found.depth) as KubeObject);
}
