/** What a kubeconfig may hold, as far as it is read or refused. */
import { z } from 'zod';

/** An empty text is none. */
const Base64 = z
  .string()
  .transform((text) => Buffer.from(text, 'base64').toString('utf8'))
  .transform((text) => (text === '' ? undefined : text))
  .optional();

/** Only whether it is there. */
const Given = z
  .unknown()
  .transform((value) => value !== undefined && value !== null && value !== '' && value !== false)
  .optional();

const Cluster = z.looseObject({
  server: z.string().min(1).max(2048),
  'certificate-authority-data': Base64,
  'certificate-authority': Given,
  'insecure-skip-tls-verify': Given,
  'tls-server-name': z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,253}$/)
    .optional(),
  'proxy-url': Given,
});

const User = z.looseObject({
  token: z
    .string()
    .trim()
    .regex(/^[\x21-\x7e]*$/)
    .transform((text) => (text === '' ? undefined : text))
    .optional(),
  'client-certificate-data': Base64,
  'client-key-data': Base64,
  tokenFile: Given,
  'client-certificate': Given,
  'client-key': Given,
  username: Given,
  password: Given,
  exec: Given,
  'auth-provider': Given,
  as: Given,
  'as-uid': Given,
  'as-groups': Given,
  'as-user-extra': Given,
});

export const Kubeconfig = z.looseObject({
  'current-context': z.string().optional(),
  clusters: z
    .array(z.looseObject({ name: z.string(), cluster: Cluster }))
    .min(1)
    .max(100),
  users: z
    .array(z.looseObject({ name: z.string(), user: User.nullish() }))
    .max(100)
    .optional(),
  contexts: z
    .array(
      z.looseObject({ name: z.string(), context: z.looseObject({ cluster: z.string(), user: z.string().optional() }) }),
    )
    .max(100)
    .optional(),
});

export type Kubeconfig = z.output<typeof Kubeconfig>;
export type Cluster = z.output<typeof Cluster>;
export type User = z.output<typeof User>;
