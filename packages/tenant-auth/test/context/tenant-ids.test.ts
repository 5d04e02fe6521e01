import { describe, expect, it } from "vitest";
import { idKinds } from "../support/worlds/id-kinds";
import { makeInstance } from "../support/worlds/instance";

describe.each(idKinds)("with %s, the id of a deleted tenant", (_, kind) => {
	it("is never given out again, and nothing that names it is another's", async () => {
		const { makeTenant, manage } = await makeInstance(kind());
		const ids = [await makeTenant(), await makeTenant()];
		for (let round = 0; round < 3; round += 1) {
			await manage("/tenant/delete", { body: { tenantId: ids.at(-1) } });
			if (round === 1) await manage("/tenant/delete", { body: { tenantId: ids[0] } });
			ids.push(await makeTenant());
		}
		ids.push(await makeTenant());
		expect(new Set(ids).size).toBe(ids.length);
		const tenantId = String(ids.at(-1));
		const { body } = await manage("/tenant/audit/list", { query: { tenantId } });
		expect(body.map(({ action }: { action: string }) => action)).toEqual(["tenant:create"]);
	});
});
