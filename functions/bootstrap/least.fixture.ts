/** The least `spec.bootstrap.config` of a bootstrapper that needs some. The checksums are fake. */
import type { JsonObject } from '#lib/api/json.ts';

const FAKE = 'fa4e'.repeat(16);
const INSTALLER = { installer: { sha256: FAKE } };

const LEAST: Readonly<Record<string, JsonObject>> = {
  k0s: { download: { sha256: { amd64: FAKE, arm64: FAKE } } },
  k3s: INSTALLER,
  rke2: INSTALLER,
};

/** @param provider  shipped or not */
export function leastConfig(provider: string): JsonObject {
  return LEAST[provider] ?? {};
}
