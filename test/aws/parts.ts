/** What the suite needs besides the lab of test/e2e: a real provider and an emulator of AWS, below .cache/aws. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MissingError, ROOT } from '../e2e/binaries/find.ts';

export const CACHE = join(ROOT, '.cache/aws');

/** The newest one of which the Go module proxy serves every dependency; CRDs are those of the same version. */
export const PROVIDER_VERSION = 'v2.5.0';
/** The build takes out of it, as this version does, what fails each read of a rule of a security group. */
export const MENDED_AS = 'v2.6.0';
const PROVIDER_FOLDER = join(CACHE, `provider-aws-${PROVIDER_VERSION}`);
export const PROVIDER = {
  program: join(PROVIDER_FOLDER, 'provider-aws'),
  crds: join(PROVIDER_FOLDER, 'crds'),
} as const;

/** As in emulator/requirements.txt. */
export const MOTO_VERSION = '5.2.5';
export const MOTO_FOLDER = join(CACHE, `moto-${MOTO_VERSION}`);
export const PYTHON = join(MOTO_FOLDER, 'bin/python');

const PARTS = [
  { file: PROVIDER.program, what: `provider-aws ${PROVIDER_VERSION}` },
  { file: PROVIDER.crds, what: `CRDs of provider-aws ${PROVIDER_VERSION}` },
  { file: join(MOTO_FOLDER, 'complete'), what: `moto ${MOTO_VERSION}` },
] as const;

/** Names of the parts that are not built yet. */
export function missingParts(): readonly string[] {
  return PARTS.filter(({ file }) => !existsSync(file)).map(({ what }) => what);
}

/** Throws MissingError in one line. */
export function needsParts(): void {
  const missing = missingParts();
  if (missing.length > 0)
    throw new MissingError(`${missing.join(', ')} not found; build with: npm run e2e:aws -- --build`);
}
