/** Names that AWS accepts, by kind, from the reference of its APIs. */
import type { NameLimits } from '../../test/clouds/name-limits.ts';

const IAM = /^[\w+=,.@-]{1,64}$/;
/** Load balancers and target groups: no hyphen at the ends, and not internal- at the beginning. */
const ELB = /^(?!internal-)[A-Za-z0-9]([A-Za-z0-9-]{0,30}[A-Za-z0-9])?$/;

export const NAME_LIMITS: NameLimits = {
  Role: IAM,
  RolePolicy: IAM,
  InstanceProfile: /^[\w+=,.@-]{1,128}$/,
  LB: ELB,
  LBTargetGroup: ELB,
  SecurityGroup: /^(?!sg-)[A-Za-z0-9 ._\-:/()#,@[\]+=&;{}!$*]{1,255}$/,
  Secret: /^[A-Za-z0-9/_+=.@-]{1,512}$/,
};
