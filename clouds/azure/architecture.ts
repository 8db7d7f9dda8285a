/** Which processors a size of Azure has: p among its features is Arm, and so are machines with Grace processors. */
import type { Architecture } from '#lib/cloud/architecture.ts';

const SIZE = /^(?:Standard|Basic)_[A-Z]+[0-9]+(?:-[0-9]+)?([a-z]*)(?:_|$)/;

export function architectureOf(size: string): Architecture | undefined {
  const features = SIZE.exec(size)?.[1];
  if (features === undefined) return undefined;
  return features.includes('p') || /_GB[0-9]+(_|$)/.test(size) ? 'arm64' : 'amd64';
}
