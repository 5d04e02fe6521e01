import * as z from "zod";

/** As much of JSON Schema as input is made up from. */
export interface InputSchema {
	type?: string | string[];
	properties?: Record<string, InputSchema>;
	required?: string[];
	additionalProperties?: unknown;
	items?: InputSchema;
	enum?: unknown[];
	const?: unknown;
	anyOf?: InputSchema[];
	oneOf?: InputSchema[];
	allOf?: InputSchema[];
}

export interface MappedEndpoint {
	name: string;
	path: string | null;
	methods: string[];
	body: InputSchema | null;
	query: InputSchema | null;
	call: (input: object) => Promise<unknown>;
}

interface RawEndpoint {
	(input: object): Promise<unknown>;
	path?: string;
	options?: {
		method?: string | string[];
		body?: unknown;
		query?: unknown;
		metadata?: { SERVER_ONLY?: boolean };
	};
}

/** The endpoints that an instance really has. */
export function mapEndpoints(api: object): MappedEndpoint[] {
	return Object.entries(api as Record<string, RawEndpoint>)
		.filter(([, endpoint]) => typeof endpoint === "function" && endpoint.options)
		.map(([name, endpoint]) => {
			const { method = "GET", body, query, metadata } = endpoint.options ?? {};
			return {
				name,
				path: metadata?.SERVER_ONLY ? null : (endpoint.path ?? null),
				methods: [method].flat(),
				body: toInputSchema(body),
				query: toInputSchema(query),
				call: endpoint,
			};
		});
}

function toInputSchema(schema: unknown): InputSchema | null {
	if (!schema) return null;
	try {
		return z.toJSONSchema(schema as z.ZodType, {
			unrepresentable: "any",
			io: "input",
		}) as InputSchema;
	} catch {
		// Another library's schema: input without one is made up for it.
		return null;
	}
}
