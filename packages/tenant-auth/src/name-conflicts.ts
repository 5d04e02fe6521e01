/**
 * What to write so that the app keeps its own column, and the plugin gets another one.
 *
 * @param creator the function whose option `schema` renames the plugin's columns, if it has one
 */
export function columnAdvice(model: string, field: string, creator: string | undefined): string {
	const own = `own${capitalize(field)}: { …, fieldName: "${field}" }`;
	const names = `{ fields: { ${field}: "${otherName(field)}" } }`;
	return `${advice(model, names, creator)}. If yours is one of Better Auth's additional fields, it also needs another name in the code: ${model}: { additionalFields: { ${own} } }`;
}

/** What to write so that the app keeps its own table, and the plugin gets another one. */
export const tableAdvice = (model: string, creator: string | undefined): string =>
	advice(model, `{ modelName: "${otherName(model)}" }`, creator);

const advice = (model: string, names: string, creator: string | undefined) =>
	creator
		? `Keep yours and rename the plugin's: ${creator}({ schema: { ${model}: ${names} } })`
		: "Rename yours, or the plugin's in its schema";

const otherName = (name: string) => `auth${capitalize(name)}`;
const capitalize = (name: string) => name.slice(0, 1).toUpperCase() + name.slice(1);
