import { randomBytes } from "node:crypto";
import { makeSignature } from "better-auth/crypto";
import { digest } from "../../../src/database/digest";
import { seal } from "../../../src/database/encrypted-values";
import { type Instance, ORIGIN } from "./instance";

export interface StoredChoice {
	token: string;
	/** Of the browser that the choice belongs to. */
	cookie: string;
}

/** What `tenantChooser()` stores for somebody who has signed in at Google with a verified email. */
export async function storeChoice(
	{ auth }: Pick<Instance, "auth">,
	email: string,
): Promise<StoredChoice> {
	const context = await auth.$context;
	const token = `chooser-${randomBytes(16).toString("hex")}`;
	const place = ["tenant-chooser", "choice", await digest(token)];
	const person = {
		...{ providerId: "google", client: "of-the-app", authority: "", accountId: `of ${email}` },
		...{ email, emailVerified: true, tokens: {} },
		info: { user: { email, emailVerified: true }, data: {} },
	};
	const choice = { home: `${ORIGIN}/api/auth`, request: {}, person };
	await context.internalAdapter.createVerificationValue({
		identifier: place.join(":"),
		value: await seal(context, place, JSON.stringify(choice)),
		expiresAt: new Date(Date.now() + 600_000),
	});
	const { name } = context.createAuthCookie("tenant_chooser");
	const value = `${token}.${await makeSignature(token, context.secret)}`;
	return { token, cookie: `${name}=${encodeURIComponent(value)}` };
}
