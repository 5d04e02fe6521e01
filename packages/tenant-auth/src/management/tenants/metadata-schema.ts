import { APIError } from "@better-auth/core/error";
import { metadataSchema, type TenantMetadata } from "./tenant";

interface Issue {
	readonly message: string;
	readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

type Result =
	| { readonly value: unknown; readonly issues?: undefined }
	| { readonly issues: readonly Issue[] };

/**
 * A schema of Zod, Valibot, ArkType or any other library that implements Standard Schema.
 *
 * @see https://standardschema.dev
 */
export interface StandardSchema<Output> {
	readonly "~standard": {
		readonly validate: (value: unknown) => Result | Promise<Result>;
		readonly types?: { readonly output: Output } | undefined;
	};
}

/** The part of the metadata that belongs to the tenant. The schema of the app need not have it. */
export const BRANDING = "branding";

/** The metadata as the app's schema returns it, or an error that names the field. */
export async function parseMetadata(
	metadata: TenantMetadata | null | undefined,
	schema: StandardSchema<object> | undefined,
): Promise<TenantMetadata | null | undefined> {
	if (!schema || !metadata) return metadata;
	const result = await schema["~standard"].validate(metadata);
	if (!result.issues) return withBrandingOf(metadata, result.value);
	if (metadata[BRANDING] === undefined || isAboutBranding(result.issues)) {
		throw invalid(result.issues);
	}
	// The schema may allow no other fields.
	const { [BRANDING]: _, ...rest } = metadata;
	const others = await schema["~standard"].validate(rest);
	if (others.issues) throw invalid(result.issues);
	return withBrandingOf(metadata, others.value);
}

/**
 * The stored metadata with another branding. If the app's schema has a branding, it decides about it. The
 * other fields stay as they are, valid or not: who changes the branding cannot change them.
 */
export async function parseBranding(
	stored: TenantMetadata,
	branding: unknown,
	schema: StandardSchema<object> | undefined,
): Promise<TenantMetadata | null> {
	const { [BRANDING]: _, ...rest } = stored;
	const changed = branding === undefined ? rest : { ...rest, [BRANDING]: branding };
	const result = await schema?.["~standard"].validate(changed);
	if (result?.issues && isAboutBranding(result.issues)) throw invalid(result.issues);
	const parsed = result && !result.issues ? withBrandingOf(changed, result.value) : changed;
	return Object.keys(parsed).length > 0 ? parsed : null;
}

/** What a schema returns is stored as JSON. Most schemas leave out fields that they do not have. */
function withBrandingOf(given: TenantMetadata, value: unknown): TenantMetadata {
	const parsed = metadataSchema.parse(value);
	const branding = given[BRANDING];
	return branding === undefined || BRANDING in parsed ? parsed : { ...parsed, branding };
}

const isAboutBranding = (issues: readonly Issue[]): boolean =>
	issues.some(({ path: [first] = [] }) => nameOf(first) === BRANDING);

const nameOf = (part: NonNullable<Issue["path"]>[number] | undefined) =>
	typeof part === "object" ? part.key : part;

function invalid(issues: readonly Issue[]): APIError {
	const described = issues.map(({ message, path = [] }) => {
		const names = path.map((part) => String(nameOf(part)));
		return `[${["body", "metadata", ...names].join(".")}] ${message}`;
	});
	return new APIError("BAD_REQUEST", { code: "VALIDATION_ERROR", message: described.join("; ") });
}
