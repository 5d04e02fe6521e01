import { Link } from "react-router";
import { ApiError, hasCode, parseJson } from "../api/client";
import { useApiMutation } from "../api/query-client";
import { Button } from "../ui/Button";
import { Notice } from "../ui/feedback";
import { useErrorMessage } from "./error-messages";
import { AuthPage } from "./layout";
import { useTenant } from "./tenant-context";
import { Filled, useTexts } from "./texts/texts";

/** An app asks for a sign-out, and cannot prove who is signed in. So the user is asked. */
export function SignOutPage() {
	const { options, pageUrl } = useTenant();
	const { signOut } = useTexts();
	const errorMessage = useErrorMessage();
	// Not an endpoint of the client: the server knows the request by a cookie of this path.
	const confirm = useApiMutation({
		mutationFn: async () => {
			const response = await fetch(pageUrl("oauth2/end-session/confirm"), {
				method: "POST",
				body: new URLSearchParams({ action: "confirm" }),
			});
			const answer = parseJson(await response.text()) as { url?: string; code?: string } | null;
			if (!response.ok || !answer?.url) throw new ApiError(response.status, answer?.code ?? "", "");
			window.location.assign(answer.url);
		},
	});
	const isExpired = hasCode(confirm.error, "SIGN_OUT_EXPIRED");
	return (
		<AuthPage title={signOut.title}>
			{confirm.error && (
				<Notice kind="danger">{isExpired ? signOut.expired : errorMessage(confirm.error)}</Notice>
			)}
			<p>
				<Filled text={signOut.text}>
					<strong className="break">{options.tenant.name}</strong>
				</Filled>
			</p>
			<div className="stack stack-tight">
				<Button
					kind="primary"
					wide
					busy={confirm.isPending || confirm.isSuccess}
					onClick={() => confirm.mutate()}
				>
					{signOut.submit}
				</Button>
				<Link className="button button-wide" to="/account">
					{signOut.stay}
				</Link>
			</div>
		</AuthPage>
	);
}
