// Hands every tool call of OpenClaw to callgate before it is made. Written by `callgate init --agent openclaw`, which
// also removes it; what is changed here is lost when it is written again.
//
// Whatever goes wrong (callgate is missing, ends oddly, says nothing, takes too long) blocks the call.
import { spawn } from "node:child_process";

const COMMAND = @COMMAND@;
const TIMEOUT_MS = @TIMEOUT_MS@;
const LONGEST_ANSWER = 1_000_000;

function blocked(why) {
  return { block: true, blockReason: `callgate could not judge this call: ${why}` };
}

// What callgate answers to a call.
function judge(event, context) {
  return new Promise((resolve) => {
    let answer = "";
    let complaint = "";
    let isDone = false;
    const done = (result) => {
      if (isDone) return;
      isDone = true;
      clearTimeout(timer);
      resolve(result);
    };
    const [program, ...words] = COMMAND;
    const child = spawn(program, words, { stdio: ["pipe", "pipe", "pipe"], windowsHide: true });
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      done(blocked("it took too long"));
    }, TIMEOUT_MS);
    child.on("error", (error) => done(blocked(error.message)));
    child.stdin.on("error", () => {});
    child.stdout.setEncoding("utf8").on("data", (part) => {
      answer += part;
      if (answer.length > LONGEST_ANSWER) child.kill("SIGKILL");
    });
    child.stderr.setEncoding("utf8").on("data", (part) => {
      complaint = (complaint + part).slice(0, 2_000);
    });
    child.on("close", (code) => {
      try {
        const result = JSON.parse(answer);
        if (code === 0 || result.block === true) return done(result);
      } catch {
        // Told below.
      }
      done(blocked(complaint.trim() || `it ended with ${code}`));
    });
    const payload = {
      hook_event_name: "before_tool_call",
      toolName: event.toolName,
      params: event.params ?? {},
      toolKind: event.toolKind,
      toolInputKind: event.toolInputKind,
      toolCallId: event.toolCallId,
      runId: event.runId,
      agentId: context?.agentId,
      sessionId: context?.sessionId,
    };
    child.stdin.end(JSON.stringify(payload));
  });
}

export default {
  id: "callgate",
  name: "callgate",
  description: "Judges tool calls before they are made",
  register(api) {
    // First, so that nothing runs before the verdict; and last, so that what runs is what was judged.
    const judged = new WeakMap();
    const byId = new Map();
    api.on(
      "before_tool_call",
      async (event, context) => {
        try {
          const params = structuredClone(event.params ?? {});
          const result = await judge(event, context);
          if (!result.block) {
            if (event.toolCallId) byId.set(event.toolCallId, params);
            else judged.set(event, params);
            if (byId.size > 1_000) byId.delete(byId.keys().next().value);
          }
          if (result.block) return { block: true, blockReason: String(result.blockReason ?? "callgate blocks this call") };
          return result.requireApproval ? { requireApproval: result.requireApproval, params } : undefined;
        } catch (error) {
          return blocked(String(error?.message ?? error));
        }
      },
      { priority: Number.MAX_SAFE_INTEGER },
    );
    api.on(
      "before_tool_call",
      (event) => {
        const params = event.toolCallId ? byId.get(event.toolCallId) : judged.get(event);
        if (event.toolCallId) byId.delete(event.toolCallId);
        return params ? { params } : undefined;
      },
      { priority: Number.MIN_SAFE_INTEGER },
    );
  },
};
