import { Link, useSearchParams } from "react-router";
import { callApi, hasCode } from "../api/client";
import { useApiMutation } from "../api/query-client";
import { useErrorMessage } from "../sign-in/error-messages";
import { AuthPage, LoadingPage } from "../sign-in/layout";
import { useSession } from "../sign-in/session-queries";
import { useTenant } from "../sign-in/tenant-context";
import { useTexts } from "../sign-in/texts/texts";
import { Button } from "../ui/Button";
import { Notice } from "../ui/feedback";
import { LoadFailedPage } from "./error-pages";

/**
 * Where the link of the email leads. The server needs the session of the account as well, and the email
 * may be open on another device: then the user signs in there first. A program that only looks at the
 * link deletes nothing.
 */
export function DeleteAccountPage() {
	const { client, options, pageUrl } = useTenant();
	const { deletion } = useTexts();
	const errorMessage = useErrorMessage();
	const [query] = useSearchParams();
	const token = query.get("token") ?? "";
	const session = useSession();
	const remove = useApiMutation({ mutationFn: () => callApi(client.deleteUser({ token })) });
	if (remove.isSuccess) return <DeletedPage />;
	if (session.isPending) return <LoadingPage />;
	// An unknown token and one of another account get the same response.
	if (!token || hasCode(remove.error, "INVALID_TOKEN")) {
		return (
			<AuthPage title={deletion.usedTitle}>
				<p>{deletion.used}</p>
				<AccountLink />
			</AuthPage>
		);
	}
	if (session.error && !session.data) {
		return <LoadFailedPage error={session.error} onRetry={session.refetch} />;
	}
	if (!session.data) {
		const back = new URLSearchParams({
			callbackURL: `${pageUrl("delete-account")}?${new URLSearchParams({ token })}`,
		});
		return (
			<AuthPage title={deletion.title}>
				<p>{deletion.signInFirst}</p>
				{/* Not a route: the server checks where the sign-in may lead. */}
				<a className="button button-primary button-wide" href={`${pageUrl("sign-in")}?${back}`}>
					{deletion.signIn}
				</a>
			</AuthPage>
		);
	}
	return (
		<AuthPage
			title={deletion.title}
			hint={<span className="break">{session.data.user.email}</span>}
		>
			{remove.error && <Notice kind="danger">{errorMessage(remove.error)}</Notice>}
			<p>
				{deletion.text(options.tenant.name)} {deletion.noUndo}
			</p>
			<div className="stack stack-tight">
				<Button kind="danger" wide busy={remove.isPending} onClick={() => remove.mutate()}>
					{deletion.submit}
				</Button>
				<Link className="button button-secondary button-wide" to="/account">
					{deletion.keep}
				</Link>
			</div>
		</AuthPage>
	);
}

function AccountLink() {
	const { layout } = useTexts();
	return (
		<Link className="button button-primary button-wide" to="/account">
			{layout.backToAccount}
		</Link>
	);
}

export function DeletedPage() {
	const { deletion } = useTexts();
	return (
		<AuthPage title={deletion.doneTitle} footer={<Link to="/sign-in">{deletion.toSignIn}</Link>}>
			<p>{deletion.done}</p>
		</AuthPage>
	);
}
