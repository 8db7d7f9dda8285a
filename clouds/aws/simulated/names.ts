/** Names that AWS accepts, by kind, from the reference of its APIs. */
import type { NameRule } from '#simulator/cloud/names.ts';

const refused = (field: string) => (name: string) =>
  `api error InvalidParameterValue: Value (${name}) for parameter ${field} is invalid`;

const IAM: NameRule = { form: /^[\w+=,.@-]{1,64}$/, refusal: refused('roleName') };
const BALANCING: NameRule = { form: /^[A-Za-z0-9]([A-Za-z0-9-]{0,30}[A-Za-z0-9])?$/, refusal: refused('name') };

export const NAMES: Readonly<Record<string, NameRule>> = {
  Role: IAM,
  RolePolicy: { form: /^[\w+=,.@-]{1,128}$/, refusal: refused('policyName') },
  InstanceProfile: { form: /^[\w+=,.@-]{1,128}$/, refusal: refused('instanceProfileName') },
  LB: { ...BALANCING, beginnings: ['internal-'] },
  LBTargetGroup: BALANCING,
  SecurityGroup: {
    form: /^[A-Za-z0-9 ._\-:/()#,@[\]+=&;{}!$*]{1,255}$/,
    beginnings: ['sg-'],
    refusal: (name) => `${refused('GroupName')(name)}. Group names may not be in the format sg-*.`,
  },
  Secret: { form: /^[A-Za-z0-9/_+=.@-]{1,512}$/, refusal: refused('Name') },
};
