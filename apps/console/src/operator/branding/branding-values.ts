import { BRANDING_FIELDS, type BrandingField, findBrandingProblem } from "better-auth-tenant/rules";

type Metadata = Record<string, unknown>;

/** The values of a form: a missing field is an empty string, and a stored value may be invalid. */
export type BrandingValues = Record<BrandingField, string>;

export function toBrandingValues(metadata: Metadata | null): BrandingValues {
	const stored = (metadata?.branding ?? {}) as Metadata;
	const text = (name: BrandingField) => {
		const value = stored[name];
		return typeof value === "string" ? value : "";
	};
	return Object.fromEntries(BRANDING_FIELDS.map((name) => [name, text(name)])) as BrandingValues;
}

/** The service ignores invalid fields without an error, so forms must not save them. */
export function findBrandingProblems(values: BrandingValues): Partial<BrandingValues> {
	const problems: Partial<BrandingValues> = {};
	for (const field of BRANDING_FIELDS) {
		const isEmpty = values[field].trim() === "";
		const problem = isEmpty ? null : findBrandingProblem(field, values[field]);
		if (problem) problems[field] = problem;
	}
	return problems;
}

/** The metadata with this branding. Everything else in it stays. */
export function withBranding(metadata: Metadata | null, branding: BrandingValues): Metadata {
	const { branding: stored, ...rest } = metadata ?? {};
	const next: Metadata = { ...(stored as Metadata | undefined) };
	for (const name of BRANDING_FIELDS) {
		const value = branding[name].trim();
		if (value === "") delete next[name];
		else next[name] = value;
	}
	return Object.keys(next).length > 0 ? { ...rest, branding: next } : rest;
}
