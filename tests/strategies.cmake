# Spawn strategies, in the order of model/include/nereus/method.h, for the lists of tests.
set(NEREUS_TREES hypercube diffusive binomial)      # with a spawn tree
set(NEREUS_SEVERAL_WORLDS multiple ${NEREUS_TREES}) # MPI_Comm_spawn starts several worlds
set(NEREUS_EQUAL_GROUPS hypercube)                  # of these: takes equal groups only
