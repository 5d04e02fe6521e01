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

/** The metadata as the app's schema returns it, or an error that names the field. */
export async function parseMetadata(
	metadata: TenantMetadata | null | undefined,
	schema: StandardSchema<object> | undefined,
): Promise<TenantMetadata | null | undefined> {
	if (!schema || !metadata) return metadata;
	const result = await schema["~standard"].validate(metadata);
	if (result.issues) throw invalid(result.issues);
	// What the schema returns is stored as JSON.
	return metadataSchema.parse(result.value);
}

function invalid(issues: readonly Issue[]): APIError {
	const described = issues.map(({ message, path = [] }) => {
		const names = path.map((part) => String(typeof part === "object" ? part.key : part));
		return `[${["body", "metadata", ...names].join(".")}] ${message}`;
	});
	return new APIError("BAD_REQUEST", { code: "VALIDATION_ERROR", message: described.join("; ") });
}
