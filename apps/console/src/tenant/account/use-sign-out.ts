import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { unwrap } from "../../api/unwrap";
import { sessionKey } from "../session";
import { useTenant } from "../tenant-context";
import { useCall } from "../use-call";
import { accountKey } from "./account-queries";

export function useSignOut() {
	const { client, options } = useTenant();
	const queryClient = useQueryClient();
	const navigate = useNavigate();
	return useCall(
		() => unwrap(client.signOut()),
		() => {
			navigate("/sign-in", { replace: true });
			queryClient.setQueryData(sessionKey(options.tenant.id), null);
			queryClient.removeQueries({ queryKey: accountKey(options.tenant.id) });
		},
	);
}
