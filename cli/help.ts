/** How help is laid out: one style for options, values and defaults. */
import type { HelpConfiguration, Option } from 'commander';

/** Commands by name alone: their arguments are in their own help. */
export const HELP_LAYOUT: HelpConfiguration = {
  optionDescription,
  subcommandTerm: (command) => command.name(),
};

/** Text, accepted values and the default; that a flag is off, or a list empty, says nothing. */
function optionDescription({ description, argChoices, defaultValue, defaultValueDescription }: Option): string {
  const choices = argChoices === undefined ? [] : [argChoices.join(', ')];
  const isShown = defaultValueDescription !== undefined || isSaid(defaultValue);
  const fallback = isShown ? [`default: ${defaultValueDescription ?? String(defaultValue)}`] : [];
  const more = [...choices, ...fallback];
  return more.length === 0 ? description : `${description} (${more.join('; ')})`;
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}
