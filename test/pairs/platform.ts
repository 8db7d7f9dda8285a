/** What the platform of these lives has: images of every version of Kubernetes, each with an id of its own. */
import { at, type JsonObject, type KubeObject } from '#lib/api/json.ts';
import { compositions } from '../../cli/files/repository.ts';

export const NAMESPACE = 'team-a';
const FLAVOUR = 'aws';
export const SELECTOR = { compositionSelector: { matchLabels: { 'slipway.dev/flavor': FLAVOUR } } };

export const VERSIONS = ['v1.35.2', 'v1.36.4', 'v1.36.5', 'v1.37.4', 'v1.37.5'] as const;
export const SYSTEMS = ['ubuntu-24.04', 'ubuntu-26.04'] as const;

/** The id of an image in the region of all clusters. */
export function imageId(system: string, version: string): string {
  return `ami-0${`${system}${version}`.replaceAll(/[^0-9]/g, '').padStart(16, 'a')}`;
}

const IMAGES = SYSTEMS.flatMap((system) =>
  VERSIONS.map((version) => ({ name: `${system}/${version}`, version, id: imageId(system, version) })),
);

/** The data of the EnvironmentConfig. */
export const ENVIRONMENT: JsonObject = {
  images: Object.fromEntries(IMAGES.map(({ name, id }) => [name, { 'eu-west-1': id }])),
};

/** The version of Kubernetes on an image, by its id. */
export const VERSION_OF: ReadonlyMap<string, string> = new Map(IMAGES.map(({ id, version }) => [id, version]));

export function environmentConfig(data: JsonObject): KubeObject {
  const kind = { apiVersion: 'apiextensions.crossplane.io/v1beta1', kind: 'EnvironmentConfig' };
  return { ...kind, metadata: { name: `slipway-${FLAVOUR}` }, data };
}

const SHIPPED = compositions();

/** The Compositions of the flavour with other limits. */
export function compositionsWith(limits: JsonObject): readonly KubeObject[] {
  return SHIPPED.map((composition) => {
    if (composition.metadata?.labels?.['slipway.dev/flavor'] !== FLAVOUR) return composition;
    const pipeline = (at(composition, 'spec', 'pipeline') as readonly JsonObject[]).map((step) => {
      const own = at(step, 'input', 'limits', 'sizes') === undefined ? undefined : at(step, 'input', 'limits');
      const input = { ...(step['input'] as JsonObject), limits: { ...(own as JsonObject), ...limits } };
      return own === undefined ? step : { ...step, input };
    });
    return { ...composition, spec: { ...composition.spec, pipeline } };
  });
}
