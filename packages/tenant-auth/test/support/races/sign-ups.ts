import { expect } from "vitest";
import { notEmpty } from "../../../../../testing/not-empty";
import { EMAIL, type Instance } from "../worlds/instance";
import { type Finish, onBoth, type RaceTrack, SIX, sessionAt, succeeded } from "./race";

export async function signUpOnce(track: RaceTrack): Promise<Finish> {
	const { one, other } = track;
	const tenantId = await one.makeTenant();
	const answers = await onBoth(track, ({ signUp }) => signUp(tenantId, EMAIL));
	const [winner, ...others] = succeeded(answers);
	expect(others).toEqual([]);
	for (const instance of [one, other]) {
		expect(await sessionAt(instance, winner?.cookie ?? "")).toMatchObject({ tenantId });
	}
	const refusals = ["USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL"];
	return { tenantId, answers, refusals, acknowledged: [EMAIL] };
}

export async function signUpAll(track: RaceTrack): Promise<Finish> {
	const tenantId = await track.one.makeTenant();
	const emails: string[] = [];
	const rounds = SIX.map((round) =>
		onBoth(track, async ({ signUp }, n) => {
			const email = `user${round}.${n}@example.com`;
			const answer = await signUp(tenantId, email);
			if (answer.status === 200) emails.push(email);
			return answer;
		}),
	);
	const answers = (await Promise.all(rounds)).flat();
	return { tenantId, answers, refusals: [], acknowledged: emails };
}

/** People sign up and in on both instances until they are refused, because the tenant changes on one. */
async function enterDuring(track: RaceTrack, path: "/tenant/suspend" | "/tenant/delete") {
	const { one, other } = track;
	const tenantId = await one.makeTenant();
	const answers = [await one.signUp(tenantId, EMAIL)];
	const signedUp = [EMAIL];

	async function enter({ signUp, signIn }: Instance, n: number): Promise<void> {
		for (let i = 0, status = 200; status === 200; i += 1) {
			const email = `user${n}.${i}@example.com`;
			const isNew = n % 3 !== 0;
			const answer = await (isNew ? signUp(tenantId, email) : signIn(tenantId));
			answers.push(answer);
			status = answer.status;
			if (isNew && status === 200) signedUp.push(email);
		}
	}

	async function change({ manage }: Instance): Promise<void> {
		expect((await manage(path, { body: { tenantId } })).status).toBe(200);
		for (const { signUp, signIn } of [one, other]) {
			expect((await signUp(tenantId, "late@example.com")).status).not.toBe(200);
			expect((await signIn(tenantId)).status).not.toBe(200);
		}
	}

	await onBoth(track, (instance, n) => (n === 2 ? change(instance) : enter(instance, n)));
	for (const { cookie } of notEmpty(succeeded(answers).filter(({ cookie }) => cookie))) {
		for (const instance of [one, other]) expect(await sessionAt(instance, cookie)).toBeNull();
	}
	return { tenantId, answers, signedUp };
}

export async function enterSuspended(track: RaceTrack): Promise<Finish> {
	const { one, other } = track;
	const { tenantId, answers, signedUp } = await enterDuring(track, "/tenant/suspend");
	await other.manage("/tenant/resume", { body: { tenantId } });
	for (const email of notEmpty(signedUp)) {
		expect((await one.signIn(tenantId, { email })).status).toBe(200);
	}
	return { tenantId, answers, refusals: ["TENANT_SUSPENDED"], acknowledged: signedUp };
}

export async function enterDeleted(track: RaceTrack): Promise<Finish> {
	const { tenantId, answers } = await enterDuring(track, "/tenant/delete");
	// A sign-in whose user was just deleted cannot know why.
	const refusals = ["TENANT_NOT_FOUND", "INVALID_EMAIL_OR_PASSWORD", "FAILED_TO_CREATE_SESSION"];
	return { tenantId, answers, refusals, acknowledged: [] };
}
