import { explainMissingKinds } from "./hash-kinds";
import type { Found, surveySource } from "./survey";

type Missing = Pick<
	Awaited<ReturnType<typeof surveySource>>,
	"missingFields" | "missingKinds" | "missingPlugins"
>;

/** What the app lacks for these records, or `null`. Without it, nothing is written. */
export function explainMissing(missing: Missing): string | null {
	const { missingPlugins, missingFields, missingKinds } = missing;
	if (missingPlugins.size > 0) return explainMissingPlugins(missingPlugins);
	if (missingFields.size > 0) return explainMissingFields(missingFields);
	return missingKinds.size > 0 ? explainMissingKinds(missingKinds) : null;
}

function explainMissingPlugins(missing: Missing["missingPlugins"]): string {
	return [
		"Your app does not have the plugins for these fields of the records:",
		...[...missing].map(
			([name, { count, first, plugin }]) =>
				`  ${name}: in ${count}, first in ${first}. It needs ${plugin} of Better Auth`,
		),
		"",
		"Add the plugins to your auth and upgrade the database, or remove the fields from the records.",
	].join("\n");
}

/** The database would refuse the users, one after the other. */
function explainMissingFields(missing: ReadonlyMap<string, Found>): string {
	const [name] = missing.keys();
	return [
		"Your users have required fields (user.additionalFields) that these records do not have:",
		...[...missing].map(
			([field, { count, first }]) => `  ${field}: missing in ${count}, first in ${first}`,
		),
		"",
		`Add them to the records, as "fields": { "${name}": … } in NDJSON or as the column fields.${name} in CSV, or use --set:`,
		`  ${[...missing.keys()].map((field) => `--set ${field}=…`).join(" ")}`,
	].join("\n");
}
