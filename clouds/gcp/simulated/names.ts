/** Names that Google Cloud accepts, by kind, from the reference of its APIs. */
import type { NameRule } from '#simulator/cloud/names.ts';

const rule = (form: RegExp, field = 'resource.name'): NameRule => ({
  form,
  refusal: (name) =>
    `googleapi: Error 400: Invalid value for field '${field}': '${name}'. Must be a match of regex '${form.source}', invalid`,
});

const RFC1035 = rule(/^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/);

export const NAMES: Readonly<Record<string, NameRule>> = {
  Address: RFC1035,
  Disk: RFC1035,
  Firewall: RFC1035,
  ForwardingRule: RFC1035,
  Instance: RFC1035,
  Network: RFC1035,
  NetworkEndpointGroup: RFC1035,
  RegionBackendService: RFC1035,
  RegionHealthCheck: RFC1035,
  Router: RFC1035,
  RouterNAT: RFC1035,
  Subnetwork: RFC1035,
  ServiceAccount: rule(/^[a-z][-a-z0-9]{4,28}[a-z0-9]$/, 'accountId'),
  Secret: rule(/^[A-Za-z0-9_-]{1,255}$/, 'secretId'),
};
