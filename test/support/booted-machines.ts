/**
 * Machines that boot without functions: an engine some time after its objects were created, and authorities for their
 * data.
 */
import { SIMULATED_CLOUDS } from '#clouds/simulated.ts';
import 'reflect-metadata'; // before @peculiar/x509, which is built on it
import { webcrypto } from 'node:crypto';
import { X509CertificateGenerator } from '@peculiar/x509';
import type { KubeObject } from '#lib/api/json.ts';
import { type Engine, createEngine, FIRST_BOOT } from '#simulator/engine.ts';

/** The certificate of an authority in PEM; its key is not kept. */
export async function newCa(commonName: string): Promise<string> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${commonName}`,
    notBefore: new Date('2026-01-01'),
    notAfter: new Date('2036-01-01'),
    signingAlgorithm: algorithm,
    keys,
  });
  return certificate.toString('pem');
}

/** An engine, that many seconds after the objects were created. */
export async function after(seconds: number, ...objects: readonly KubeObject[]): Promise<Engine> {
  const engine = createEngine({
    clouds: SIMULATED_CLOUDS,
    start: new Date('2026-01-01T00:00:00Z'),
    seed: 1,
    functions: notCalled,
  });
  for (const object of objects) engine.apply(object);
  await pass(engine, seconds);
  return engine;
}

function notCalled(name: string): never {
  throw new Error(`${name} is called, and nothing here has a pipeline`);
}

export async function pass(engine: Engine, seconds: number): Promise<void> {
  await engine.runUntil(() => false, { limitSeconds: engine.seconds + seconds });
}

/** Why machines did not become nodes. */
export const firstBootFailures = (engine: Engine): readonly string[] =>
  engine
    .snapshot()
    .warnings.filter(({ reason }) => reason === FIRST_BOOT.failed || reason === FIRST_BOOT.refused)
    .map(({ message }) => message);
