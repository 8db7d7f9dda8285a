/** The customisation of a claim with the values of the Secrets that it refers to. */
import type { Customisation, FilledFile, FilledUnit } from '#lib/api/fields/customisation.ts';
import type { Unit } from '#lib/api/fields/host.ts';
import type { Claimed, File, User } from '#lib/api/fields/provisioning.ts';
import { filledProxy, filledRegistries, type SecretValues } from '#lib/fn/secret-values.ts';

/** Every value in place of its reference, which remains as a mark. */
export function filled(
  claimed: Claimed,
  values: SecretValues,
  dataDisks: Customisation['dataDisks'] = [],
): Customisation {
  const { files, units, users, commands, proxy, registries, ...rest } = claimed;
  const { pre, preFrom = [], post, postFrom = [] } = commands;
  return {
    ...rest,
    dataDisks,
    files: files.map((file, index) => filledFile(file, `files[${index}]`, values)),
    units: units.map((unit, index) => filledUnit(unit, `units[${index}]`, values)),
    users: users.map((user, index) => filledUser(user, `users[${index}]`, values)),
    commands: {
      pre,
      preFrom: preFrom.map((_, index) => values.text(`commands.preFrom[${index}]`)),
      post,
      postFrom: postFrom.map((_, index) => values.text(`commands.postFrom[${index}]`)),
    },
    proxy: filledProxy(proxy, values),
    registries: filledRegistries(registries, values),
  };
}

/** In base64, so that every byte is kept. */
function filledFile(file: File, field: string, values: SecretValues): FilledFile {
  const { content = '' } = file;
  if (file.contentFrom === undefined) return { ...file, content };
  return { ...file, content: values.bytes(`${field}.contentFrom`).toString('base64'), encoding: 'base64' };
}

function filledUnit(unit: Unit, field: string, values: SecretValues): FilledUnit {
  const dropIns = unit.dropIns.map((dropIn, index) => {
    const { contents = '', contentsFrom } = dropIn;
    if (contentsFrom === undefined) return { ...dropIn, contents };
    return { ...dropIn, contents: values.text(`${field}.dropIns[${index}].contentsFrom`) };
  });
  if (unit.contentsFrom === undefined) return { ...unit, dropIns };
  return { ...unit, dropIns, contents: values.text(`${field}.contentsFrom`) };
}

const HASH = /^[^\s:]{1,256}$/;

function filledUser(user: User, field: string, values: SecretValues): User {
  if (user.passwordHashFrom === undefined) return user;
  return { ...user, passwordHash: values.word(`${field}.passwordHashFrom`, HASH, 'a crypt(3) hash') };
}
