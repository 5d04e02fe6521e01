import { describe } from "vitest";
import { services } from "../../../../testing/services";
import { openRedis } from "../support/redis-storage";
import { makeTwoInstances } from "../support/two-instances";
import { describeTwoInstances } from "../support/two-instances-behaviors";

const { postgres, redis } = services;

describe.skipIf(!postgres || !redis)("two instances on one PostgreSQL and one Redis", () => {
	describeTwoInstances(async () => {
		const prefix = `two-instances-${Date.now()}-${Math.random().toString(36).slice(2, 8)}:`;
		const storages = [openRedis(String(redis), prefix), openRedis(String(redis), prefix)];
		let given = 0;
		const app = await makeTwoInstances(String(postgres), () => {
			const storage = storages[given % 2]?.storage;
			given += 1;
			return storage ? { secondaryStorage: storage } : {};
		});
		return {
			...app,
			async close() {
				await app.close();
				for (const storage of storages) await storage.close();
			},
		};
	});
});
