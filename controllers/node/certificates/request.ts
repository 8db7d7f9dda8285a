/** Reads a CertificateSigningRequest, and the request of PKCS #10 in it. */
import 'reflect-metadata'; // must come before @peculiar/x509, which needs it
import { Pkcs10CertificateRequest, SubjectAlternativeNameExtension } from '@peculiar/x509';
import { type KubeObject, at, stringAt } from '#lib/api/json.ts';
import type { Resource } from '#lib/kube/resource.ts';
import type { ServingRequest } from '#lib/node/situation.ts';

export const REQUESTS: Resource = {
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  plural: 'certificatesigningrequests',
  namespaced: false,
};

/** Nobody has decided about it yet. */
export function isPending(request: KubeObject): boolean {
  const conditions = at(request, 'status', 'conditions');
  return !Array.isArray(conditions) || conditions.length === 0;
}

export function servingRequest(object: KubeObject): ServingRequest {
  const common = {
    name: object.metadata?.name ?? '',
    uid: object.metadata?.uid ?? '',
    signer: stringAt(object, 'spec', 'signerName') ?? '',
    username: stringAt(object, 'spec', 'username') ?? '',
    groups: textsAt(object, 'groups'),
    usages: textsAt(object, 'usages'),
  };
  try {
    return { ...common, ...wishOf(stringAt(object, 'spec', 'request') ?? '') };
  } catch {
    const subject = { commonName: '', organizations: [] };
    return { ...common, subject, names: [], addresses: [], others: 0, problem: 'it cannot be read' };
  }
}

function wishOf(base64: string): Pick<ServingRequest, 'subject' | 'names' | 'addresses' | 'others'> {
  const request = new Pkcs10CertificateRequest(Buffer.from(base64, 'base64').toString('utf8'));
  const subjects = request.subjectName;
  const alternatives = request.extensions.filter((one) => one instanceof SubjectAlternativeNameExtension);
  const items = alternatives.flatMap((one) => one.names.items);
  const of = (type: string): readonly string[] => items.filter((one) => one.type === type).map(({ value }) => value);
  const [names, addresses] = [of('dns'), of('ip')];
  // Whatever else a subject or a request may have is nothing that kubelets ask for.
  const relative = subjects
    .toJSON()
    .flatMap((one) => Object.entries(one).flatMap(([key, values]) => values.map(() => key)));
  const strange = relative.filter((key) => key !== 'CN' && key !== 'O').length;
  return {
    subject: { commonName: subjects.getField('CN').join(), organizations: subjects.getField('O') },
    names,
    addresses,
    others:
      items.length - names.length - addresses.length + (request.extensions.length - alternatives.length) + strange,
  };
}

function textsAt(object: KubeObject, key: 'groups' | 'usages'): readonly string[] {
  const list = at(object, 'spec', key);
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
}
