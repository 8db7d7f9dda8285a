/** The provider's own main, with the kinds of kinds-go.ts in place of all of them. */

/** Lines that have these go: cluster-scoped kinds, and what is imported for all kinds. */
const GONE = [
  /^\t(clusterapis|namespacedapis|clustercontroller|namespacedcontroller) "/,
  /clusterapis\.AddToScheme/,
  /\(clustercontroller\./,
  /\(namespacedcontroller\.SetupWebhook/,
] as const;

const REPLACED = [
  ['namespacedapis.AddToScheme(', 'addToSchemes.AddToScheme('],
  ['namespacedapis.AddToSchemes', 'addToSchemes'],
  ['namespacedcontroller.SetupGated_monolith(', 'setupGated('],
  ['namespacedcontroller.Setup_monolith(', 'setupGated('],
] as const;

/** The line after which the Terraform provider is there. */
const TERRAFORM = 'Cannot get the Terraform framework and SDK providers';

/** Throws when the source is not as expected. */
export function mainGo(source: string): string {
  const lines = source.split('\n').filter((line) => !GONE.some((pattern) => pattern.test(line)));
  if (!lines.some((line) => line.includes(TERRAFORM))) throw new Error(`the provider's main has no "${TERRAFORM}"`);
  const cut = lines.flatMap((line) =>
    line.includes(TERRAFORM) ? [line, '\ttrim(ctx, fwProvider, sdkProvider)'] : [line],
  );
  const text = REPLACED.reduce((all, [from, to]) => all.replaceAll(from, to), cut.join('\n'));
  const left = /\b(clusterapis|namespacedapis|clustercontroller|namespacedcontroller)\./.exec(text)?.[0];
  if (left !== undefined) throw new Error(`the provider's main still has "${left}"`);
  return text;
}
