import { organization, username } from "better-auth/plugins";
import { afterAll, beforeAll } from "vitest";
import { cheapPasswords } from "./cheap-passwords";
import type { OpenDatabase } from "./databases";
import { hostile } from "./hostile-plugin";
import { type Instance, type InstanceOptions, makeInstance } from "./instance";
import { describeErasing } from "./main-behaviours/erasing";
import { describeMails } from "./main-behaviours/mails";
import { describeOAuthConfigs } from "./main-behaviours/oauth-configs";
import { describeOtherPlugins } from "./main-behaviours/other-plugins";
import { describeSchema } from "./main-behaviours/schema";
import { describeSessions } from "./main-behaviours/sessions";
import { describeSocial } from "./main-behaviours/social";
import type { Lack, Mail, Stage } from "./main-behaviours/stage";
import { describeTenants } from "./main-behaviours/tenants";
import { describeUsers } from "./main-behaviours/users";
import { sqlRows } from "./raw-rows";

/** What must hold on every database, whatever its SQL, its isolation and its pool. */
export function describeMainBehaviours(
	open: () => Promise<OpenDatabase>,
	options: () => InstanceOptions = () => ({}),
	lacks: readonly Lack[] = [],
): void {
	const stage = setStage(open, options);
	describeSchema(stage, lacks);
	describeUsers(stage, lacks);
	describeSessions(stage);
	describeMails(stage);
	describeTenants(stage, lacks);
	describeErasing(stage, lacks);
	describeOAuthConfigs(stage, lacks);
	describeSocial(stage);
	describeOtherPlugins(stage);
}

function setStage(open: () => Promise<OpenDatabase>, options: () => InstanceOptions): Stage {
	let on: OpenDatabase | undefined;
	let instance: Instance | undefined;
	let people = 0;
	const mails: Mail[] = [];
	const send = async (data: object) => {
		mails.push(data as Mail);
	};

	const stage: Stage = {
		get on() {
			if (!on) throw new Error("the database is not open yet");
			return on;
		},
		get rows() {
			return stage.on.rows ?? sqlRows(stage.on.db);
		},
		get instance() {
			if (!instance) throw new Error("the host is not made yet");
			return instance;
		},
		mails,
		options: () => ({
			...options(),
			on: stage.on,
			plugins: [
				hostile(),
				username({ usernameValidator: () => true }),
				organization({ allowUserToCreateOrganization: true }),
			],
		}),
		newAddress: () => {
			people += 1;
			return `person${people}@example.com`;
		},
	};

	beforeAll(async () => {
		on = await open();
		instance = await makeInstance({
			...stage.options(),
			tenants: { ...options().tenants, allowPrivateProviderHosts: true },
			emailAndPassword: { ...cheapPasswords, enabled: true, sendResetPassword: send },
			emailVerification: { sendVerificationEmail: send },
		});
	});
	afterAll(() => on?.close());

	return stage;
}
