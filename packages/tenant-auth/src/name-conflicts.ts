/** What to write so that the app keeps its own column, and the plugin gets another one. */
export function columnAdvice(model: string, field: string): string {
	const names = `{ ${model}: { fields: { ${field}: "${otherName(field)}" } } }`;
	const own = `own${capitalize(field)}: { …, fieldName: "${field}" }`;
	return `Keep yours and rename the plugin's: tenantAuth({ schema: ${names} }). If yours is one of Better Auth's additional fields, it also needs another name in the code: ${model}: { additionalFields: { ${own} } }`;
}

/** What to write so that the app keeps its own table, and the plugin gets another one. */
export function tableAdvice(model: string): string {
	return `Keep yours and rename the plugin's: tenantAuth({ schema: { ${model}: { modelName: "${otherName(model)}" } } })`;
}

const otherName = (name: string) => `auth${capitalize(name)}`;
const capitalize = (name: string) => name.slice(0, 1).toUpperCase() + name.slice(1);
