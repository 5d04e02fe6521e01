import { useQuery } from "@tanstack/react-query";
import { describeDevice } from "../../device";
import { formatTime } from "../../format";
import { Skeleton } from "../../ui/feedback";
import { useApi } from "../api/context";
import { describeMethod } from "../sign-ins/methods";

type LastSignInProps = { tenantId: string; userId: string };

/** When, how and where a user signed in last. */
export function LastSignIn({ tenantId, userId }: LastSignInProps) {
	const { signInsQuery } = useApi();
	const { data, error } = useQuery(
		signInsQuery(tenantId, { userId, result: "succeeded", limit: 1, offset: 0, total: "none" }),
	);
	if (!data) {
		if (error) return <span className="muted">Could not be loaded</span>;
		return (
			<span aria-busy="true">
				<Skeleton />
			</span>
		);
	}
	const [last] = data.items;
	if (!last) return <span className="muted">None in the sign-in log</span>;
	return (
		<>
			{formatTime(last.createdAt)}
			<span className="muted small subtext">
				{[describeMethod(last), describeDevice(last.userAgent), last.ipAddress]
					.filter(Boolean)
					.join(" · ")}
			</span>
		</>
	);
}
