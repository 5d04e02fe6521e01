import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { useApiMutation } from "../api/query-client";
import { signOutHere } from "../sign-in/client";
import { useErrorMessage } from "../sign-in/error-messages";
import { sessionQuery } from "../sign-in/session-queries";
import { useReturnUrl, useTenant } from "../sign-in/tenant-context";
import { useToast } from "../ui/Toast";
import { accountKey } from "./queries";

/** Signs the user out, and shows the sign-in page. */
export function useSignOut() {
	const tenant = useTenant();
	const { search } = useReturnUrl();
	const queryClient = useQueryClient();
	const navigate = useNavigate();
	const toast = useToast();
	const errorMessage = useErrorMessage();
	return useApiMutation({
		mutationFn: () => signOutHere(tenant.client),
		onSuccess: () => {
			navigate(`/sign-in${search}`, { replace: true });
			queryClient.setQueryData(sessionQuery(tenant).queryKey, null);
			queryClient.removeQueries({ queryKey: accountKey(tenant) });
		},
		onError: (error) => toast(errorMessage(error), "danger"),
	});
}
