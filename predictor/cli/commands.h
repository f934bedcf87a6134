/**
 * @file commands.h
 * Lists all commands of `nereus`: dispatch, help, manual pages and completion follow it.
 */
#pragma once

#include "model/util/base.h"

/**
 * COMMAND(name, summary), GROUP(group, summary), MEMBER(group, name, summary), in the order of
 * `nereus help`: first what most people use. Functions are nereus_cmd_NAME, nereus_cmd_GROUP_NAME.
 */
#define NEREUS_COMMANDS(COMMAND, GROUP, MEMBER)                                                    \
    COMMAND(doctor, "find out what this MPI and machine can do")                                   \
    COMMAND(calibrate, "measure this machine and write its profile")                               \
    COMMAND(predict, "predict the time of a resize, and the best method")                          \
    COMMAND(advise, "advise whether to resize, to which size, how, and until when")     \
    COMMAND(map, "predict the best method for many pairs of sizes")                                \
    COMMAND(plan, "show the steps of a resize and their predicted times")                          \
    COMMAND(run, "run a synthetic application that is resized live, or a program")                 \
    COMMAND(validate, "resize live and compare measured with predicted times")                     \
    GROUP(profile, "profiles of machines")                                                         \
    MEMBER(profile, fit, "fit a machine's profile to measured samples")                            \
    MEMBER(profile, list, "list the profiles that are installed")                                  \
    MEMBER(profile, show, "print how a profile was measured, and what it holds")                   \
    MEMBER(profile, use, "choose the profile that is taken on this machine")                       \
    MEMBER(profile, diff, "print the differences between two profiles")                            \
    GROUP(job, "running jobs")                                                   \
    MEMBER(job, list, "list the running jobs that answer")                                         \
    MEMBER(job, status, "print the state of a running job")                                        \
    MEMBER(job, resize, "ask a running job for another size")                                      \
    MEMBER(job, release, "ask a running job to give nodes back")                                   \
    MEMBER(job, offer, "offer nodes to a running job")                                             \
    MEMBER(job, wait, "wait until a running job has carried out a request")                        \
    MEMBER(job, top, "show what a monitored job does, live")                                       \
    MEMBER(job, trace, "show what resizes took, step by step; check a trace")                      \
    MEMBER(job, checkpoints, "list the checkpoints from which a job can go on")                    \
    GROUP(slurm, "malleable jobs in Slurm")                                                        \
    MEMBER(slurm, submit, "submit a malleable job to Slurm")                                       \
    MEMBER(slurm, broker, "give idle nodes of Slurm to malleable jobs, and take them back")        \
    MEMBER(slurm, workload, "run a workload in Slurm, compared with its simulation")               \
    GROUP(study, "repeated runs, compared")                                                        \
    MEMBER(study, run, "run sizes x methods x data repeatedly, and compare")                       \
    MEMBER(study, compare, "test which methods differ, from repeated runs of each")                \
    MEMBER(study, report, "make a page or a picture of what runs have measured")                   \
    GROUP(policy, "policies that decide on a job's size")                                          \
    MEMBER(policy, run, "run an application under a policy, with the time of the model")           \
    MEMBER(policy, explain, "print what a policy decided, with the candidates and why")            \
    COMMAND(simulate, "simulate a cluster's workload, with malleable jobs")                        \
    COMMAND(convert, "convert a workload from and to other simulators' files")                     \
    COMMAND(twin, "make a synthetic twin of a real MPI program")

#define NEREUS_DECLARE_COMMAND(name, summary) int nereus_cmd_##name(int argc, char **argv);
#define NEREUS_DECLARE_GROUP(group, summary)
#define NEREUS_DECLARE_MEMBER(group, name, summary)                                                \
    int nereus_cmd_##group##_##name(int argc, char **argv);
NEREUS_COMMANDS(NEREUS_DECLARE_COMMAND, NEREUS_DECLARE_GROUP, NEREUS_DECLARE_MEMBER)
#undef NEREUS_DECLARE_COMMAND
#undef NEREUS_DECLARE_GROUP
#undef NEREUS_DECLARE_MEMBER
