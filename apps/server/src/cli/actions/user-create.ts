import { randomBytes } from "node:crypto";
import { type PasswordSource, readUserPassword } from "../input";
import { listing, type OutputOptions, printNote, printResult } from "../output";
import { requireTenant, withAuth } from "../with-auth";
import { summarizeUser } from "./user";

type CreateOptions = OutputOptions &
	PasswordSource & {
		name?: string;
		role?: string;
		verified?: boolean;
		passwordStdin?: boolean;
		generatePassword?: boolean;
	};

export async function createUser(
	slugOrId: string,
	email: string,
	options: CreateOptions,
): Promise<void> {
	await withAuth(async (auth) => {
		const { id: tenantId, slug } = await requireTenant(auth, slugOrId);
		const password = await choosePassword(options);
		const { name = email.split("@")[0] ?? "", role, verified = false } = options;
		const user = await auth.api.createTenantUser({
			body: {
				...{ tenantId, email, name, emailVerified: verified },
				...(role !== undefined && { role }),
				...(password !== undefined && { password }),
			},
		});
		const shown = options.generatePassword ? { password } : {};
		if (options.generatePassword) {
			printNote(options, "This is the only time that the password is shown.");
		}
		printResult(options, { ...user, ...shown }, () =>
			listing({ ...summarizeUser(user), ...shown }),
		);
		if (password !== undefined) return;
		printNote(
			options,
			`The user has no password. To send a link: tenant-auth user reset ${slug} ${user.id}`,
		);
	});
}

/** Reads it only after the tenant was found: a person should not type it for nothing. */
async function choosePassword(options: CreateOptions): Promise<string | undefined> {
	const { passwordStdin, passwordEnv, generatePassword } = options;
	if (generatePassword) return randomBytes(18).toString("base64url");
	return passwordStdin || passwordEnv ? readUserPassword(options) : undefined;
}
