/** What GCP kinds have in common: a project, ids that are paths, and that most operations take some seconds. */
import { type JsonObject, stringAt } from '#lib/api/json.ts';
import type { CloudKind } from '#simulator/cloud/kind.ts';
import { NAMES } from './names.ts';

export const PROJECT = 'simulated-project';

type Service = 'compute' | 'cloudplatform' | 'secretmanager';
type Own = Pick<CloudKind, 'kind' | 'title'> & Partial<Omit<CloudKind, 'arn'>> & { readonly path: Path };
/** The id below the project. */
type Path = (name: string, attributes: JsonObject) => string;

const QUICK = [2, 6] as const;

/** Names are ids, except where the kind has a prefix for ids of the cloud. */
export function gcpKind(service: Service, { path, created, ...own }: Own): CloudKind {
  const idOf: Path = (name, attributes) => `projects/${PROJECT}/${path(name, attributes)}`;
  return {
    apiVersion: `${service}.gcp.m.upbound.io/v1beta1`,
    arn: idOf,
    withoutArn: true,
    seconds: { create: QUICK, update: QUICK, delete: QUICK },
    forceNew: [],
    references: {},
    names: NAMES[own.kind],
    ...own,
    created: (object) => {
      const id = idOf(object.id, object.attributes);
      const more = created?.(object);
      const links = service === 'compute' ? { selfLink: `https://www.googleapis.com/compute/v1/${id}` } : {};
      return { ...more, outputs: { id, project: PROJECT, ...links, ...more?.outputs } };
    },
  };
}

export const everywhere =
  (collection: string): Path =>
  (name) =>
    `global/${collection}/${name}`;

export const inRegion =
  (collection: string): Path =>
  (name, attributes) =>
    `regions/${stringAt(attributes, 'region') ?? ''}/${collection}/${name}`;

export const inZone =
  (collection: string): Path =>
  (name, attributes) =>
    `zones/${stringAt(attributes, 'zone') ?? ''}/${collection}/${name}`;
