import { getCurrentAdapter } from "@better-auth/core/context";
import type { AuthContext, BetterAuthPluginDBSchema } from "better-auth";
import * as z from "zod";
import { type SignUpField, signUpFields } from "./field";

/** A list as JSON text, in the row of the tenant. So it is exported, copied and deleted with it. */
export const signUpFieldsSchema = {
	tenant: {
		fields: {
			signUpFields: {
				type: "string",
				required: false,
				input: false,
				returned: false,
				// For the file of a tenant: fields that cannot be read would refuse every sign-up.
				validator: { input: z.string().refine(isList) },
			},
		},
	},
} as const satisfies BetterAuthPluginDBSchema;

function isList(text: string): boolean {
	try {
		return signUpFields.safeParse(JSON.parse(text)).success;
	} catch {
		return false;
	}
}

type StoreContext = Pick<AuthContext, "adapter">;

const named = (tenantId: string) => [{ field: "id", value: tenantId }];

/** A list that cannot be read is an error: without it, a required field would not be asked for. */
export async function findSignUpFields(
	{ adapter }: StoreContext,
	tenantId: string,
): Promise<SignUpField[]> {
	const database = await getCurrentAdapter(adapter);
	const tenant = await database.findOne<{ signUpFields?: string | null }>({
		model: "tenant",
		where: named(tenantId),
	});
	return signUpFields.parse(JSON.parse(tenant?.signUpFields ?? "[]"));
}

export async function storeSignUpFields(
	{ adapter }: StoreContext,
	tenantId: string,
	fields: SignUpField[],
): Promise<void> {
	const database = await getCurrentAdapter(adapter);
	const stored = fields.length > 0 ? JSON.stringify(fields) : null;
	const update = { signUpFields: stored, updatedAt: new Date() };
	await database.updateMany({ model: "tenant", where: named(tenantId), update });
}
