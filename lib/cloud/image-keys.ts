/** Keys of images in a catalog: <image>, <image>/<version>, and each of them with /<architecture>. */
import { type Architecture, architectureIn } from './architecture.ts';

const KEY = /^(.+?)(?:\/(v[0-9][^/]*))?(?:\/(amd64|arm64))?$/;

interface Parts {
  /** As claims write it. */
  readonly name: string;
  readonly version: string | undefined;
  readonly architecture: string | undefined;
}

export function partsOf(key: string): Parts {
  const [, name = key, version, architecture] = KEY.exec(key) ?? [];
  return { name, version, architecture };
}

/** A key as a claim may write it. */
export function withoutArchitecture(key: string): string {
  const { name, version } = partsOf(key);
  return version === undefined ? name : `${name}/${version}`;
}

/** Where an image is looked for, in this order. @param architecture undefined: not known */
export function keysFor(name: string, version: string, architecture: Architecture | undefined): readonly string[] {
  return [`${name}/${version}`, name].flatMap((key) =>
    architecture === undefined ? [key] : [`${key}/${architecture}`, key],
  );
}

/** What the end of a key says, else its name, else the id of the image in the cloud; amd64 if none says it. */
export function architectureOf(key: string, id: string): Architecture {
  const { name, architecture = '' } = partsOf(key);
  return architectureIn(architecture) ?? architectureIn(name) ?? architectureIn(id) ?? 'amd64';
}
