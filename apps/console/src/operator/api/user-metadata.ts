import { queryOptions } from "@tanstack/react-query";
import { type ApiClient, callApi } from "../../api/client";
import { userKey } from "./users";

/** As `apps/server/src/openid-provider/user-metadata` has it. */
export type UserMetadata = {
	/** Only management changes it. */
	metadata: Record<string, unknown>;
	/** The user changes it. */
	preferences: Record<string, unknown>;
};

export const userMetadataCalls = (client: ApiClient) => ({
	userMetadataQuery: (tenantId: string, userId: string) =>
		queryOptions({
			queryKey: [...userKey(tenantId, userId), "metadata"],
			queryFn: () =>
				callApi(
					client.$fetch<UserMetadata>("/tenant/user-metadata/get", { query: { tenantId, userId } }),
				),
		}),
	/** What is left out stays. */
	updateUserMetadata: (tenantId: string, userId: string, changes: Partial<UserMetadata>) =>
		callApi(
			client.$fetch<UserMetadata>("/tenant/user-metadata/update", {
				method: "POST",
				body: { tenantId, userId, ...changes },
			}),
		),
});
