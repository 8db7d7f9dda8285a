/** Names that Google Cloud accepts, by kind, from the reference of its APIs. */
import type { NameLimits } from '../../test/clouds/name-limits.ts';

const RFC1035 = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;

export const NAME_LIMITS: NameLimits = {
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
  ServiceAccount: /^[a-z][-a-z0-9]{4,28}[a-z0-9]$/,
  Secret: /^[A-Za-z0-9_-]{1,255}$/,
};
