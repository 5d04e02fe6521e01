import { describe, expect, onTestFinished, test } from "vitest";
import { connectMysql } from "../../../../packages/tenant-auth/test/support/databases/databases";
import { startIdentityProvider } from "../../../../packages/tenant-auth/test/support/providers/identity-provider";
import { runRace } from "../../../../packages/tenant-auth/test/support/races/race";
import { races } from "../../../../packages/tenant-auth/test/support/races/races";
import { makeTwoInstances } from "../../../../packages/tenant-auth/test/support/worlds/two-instances";
import { notEmpty } from "../../../../testing/not-empty";
import { services } from "../../../../testing/services";
import { ownGalera } from "./own-galera";

/** Each way to remove an owner meets each other way. */
const ROUNDS: Record<string, number> = { "two owners remove each other": 16 };

/** These share a lock, so nobody is told to try again. */
const WITHOUT_CONFLICTS = "36 people sign up";

// A row lock holds on one node only. So what has to exclude something must write.
describe.skipIf(!services.cluster)("two nodes of Galera that both write", () => {
	test("decide every race as one database does", async () => {
		const [one, other] = await ownGalera();
		const app = await makeTwoInstances([connectMysql(one.url), connectMysql(other.url)]);
		onTestFinished(() => app.close());
		const gitlab = await startIdentityProvider("gitlab");
		onTestFinished(() => gitlab.close());
		for (const [name, race] of notEmpty(Object.entries(races))) {
			const conflicts = name !== WITHOUT_CONFLICTS;
			const result = await runRace({ ...app, gitlab, conflicts }, race, ROUNDS[name] ?? 3);
			console.log(`Galera, ${name}: ${JSON.stringify(result)}`);
			expect(result, name).toMatchObject({ lost: 0, duplicates: 0, halfMade: 0 });
		}
	});
});
